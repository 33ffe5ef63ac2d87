// SPDX-License-Identifier: Apache-2.0
// RFC 7306, sections 5 and 5.1: the effect of Atomic Operations. RDMAPX-5-1 is in shared_stag_cases.cc.
#include "conformance/rdmap/rdmapx/5.1-operations/rules.h"
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint64_t kAlignmentOctets = 8;

}  // namespace

void judge_atomic_target(Judge& judge, Seen& seen, const AtomicRequest& request) {
  const std::uint8_t opcode = atomic_opcode(request);
  const bool aligned = request.to % kAlignmentOctets == 0;
  if (!aligned) seen.blame(error::kCatastrophicStream);
  if (opcode != kFetchAdd && opcode != kCmpSwap) return;
  judge.advise(opcode == kFetchAdd ? rule<"RDMAPX-5.1.1-1"> : rule<"RDMAPX-5.1.2-1">, aligned,
               field::rdmap(seen.header, layout::kAtomicTo, 8), expected("a multiple of eight"),
               actual(hex(request.to)), "right only in a buffer that is itself not aligned");
}

}  // namespace wirelaw::rdmap
