// SPDX-License-Identifier: Apache-2.0
// The checks of RFC 7306, in the order in which an observer calls them. If the peers do not declare RFC 7306, its
// opcodes are reserved ones, and RFC 5040 4.1 judges them (RDMAP/A-10).
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {

void check_extensions(Judge& judge, const SegmentFacts& segment) {
  if (segment.read_after_atomics) check_read_after_atomics(judge, segment, *segment.read_after_atomics);
  if (!segment.extension) return;
  check_extension_fields(judge, segment, segment.extension->octets);
  if (const auto& request = segment.extension->request) {
    check_atomic_target(judge, segment, *request);
    check_atomic_request(judge, segment, *request);
  }
  if (segment.atomic_answer) check_atomic_response(judge, segment, *segment.atomic_answer);
}

}  // namespace wirelaw::rdmap
