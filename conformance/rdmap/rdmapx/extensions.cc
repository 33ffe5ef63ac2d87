// SPDX-License-Identifier: Apache-2.0
// The checks of RFC 7306, in the order in which an observer calls them. If the peers do not declare RFC 7306, its
// opcodes are reserved ones, and RFC 5040 4.1 judges them (RDMAP/A-10).
#include "conformance/rdmap/rdmapx/extensions.h"

#include "conformance/rdmap/checks.h"

namespace wirelaw::rdmap {

void judge_extensions(Judge& judge, Seen& seen) {
  if (!seen.connection.extensions) return;
  if (seen.is(Opcode::read_response) && seen.header.tagged && seen.first_segment) judge_read_after_atomics(judge, seen);
  if (!seen.row || !seen.row->extension || !judge_extension_fields(judge, seen)) return;
  if (seen.is(Opcode::atomic_request)) {
    const AtomicRequest request = *decode_atomic_request(seen.payload);
    judge_atomic_target(judge, seen, request);
    judge_atomic_request(judge, seen, request);
  } else if (seen.is(Opcode::atomic_response)) {
    judge_atomic_response(judge, seen, *decode_atomic_response(seen.payload));
  }
}

}  // namespace wirelaw::rdmap
