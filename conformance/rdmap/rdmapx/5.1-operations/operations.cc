// SPDX-License-Identifier: Apache-2.0
// RFC 7306, sections 5 and 5.1: the effect of Atomic Operations. RDMAPX-5-1 is in shared_stag_cases.cc.
#include "conformance/rdmap/rdmapx/5.1-operations/rules.h"
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {

void check_atomic_target(Judge& judge, const SegmentFacts& segment, const AtomicRequest& request) {
  const std::uint8_t opcode = atomic_opcode(request);
  if (opcode != kFetchAdd && opcode != kCmpSwap) return;
  judge.advise(opcode == kFetchAdd ? rule<"RDMAPX-5.1.1-1"> : rule<"RDMAPX-5.1.2-1">,
               request.to % kAtomicAlignment == 0, field_of_message(segment, layout::kAtomicTo, 8),
               expected("a multiple of eight"), actual(hex(request.to)),
               "right only in a buffer that is itself not aligned");
}

}  // namespace wirelaw::rdmap
