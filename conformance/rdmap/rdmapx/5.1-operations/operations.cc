// SPDX-License-Identifier: Apache-2.0
// RFC 7306, sections 5 and 5.1: what Atomic Operations do. RDMAPX-5-1 is in shared_stag_cases.cc.
#include "conformance/rdmap/rdmapx/extensions.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection5_1_1{"RFC 7306 5.1.1"};
constexpr Section kSection5_1_2{"RFC 7306 5.1.2"};
constexpr Section kSection5NotJudged = Section{"RFC 7306 5"}.by(Observable::none);
constexpr std::string_view kAlignment =
    "It is the address of the buffer that must be aligned; a buffer may begin anywhere, so an odd Tagged Offset is a "
    "warning";

constinit const Rule kResponseQueue =
    kSection5NotJudged.must("RDMAPX-5-3", "An Atomic Response is untagged and on queue 3.",
                            "RDMAPX-4.1-8 and RDMAPX-4.1-12 judge the same bits");
constinit const Rule kFetchAddAligned =
    kSection5_1_1.must("RDMAPX-5.1.1-1", "FetchAdd targets an address that is a multiple of eight.", kAlignment);
constinit const Rule kCmpSwapAligned =
    kSection5_1_2.must("RDMAPX-5.1.2-1", "CmpSwap targets an address that is a multiple of eight.", kAlignment);

constexpr std::uint64_t kAlignmentOctets = 8;

}  // namespace

SectionRules atomic_operation_rules() {
  static constexpr const Rule* kRules[] = {&kResponseQueue, &kFetchAddAligned, &kCmpSwapAligned};
  return {kRules};
}

void judge_atomic_target(Judge& judge, Seen& seen, const AtomicRequest& request) {
  const std::uint8_t opcode = atomic_opcode(request);
  const bool aligned = request.to % kAlignmentOctets == 0;
  if (!aligned) seen.blame(error::kCatastrophicStream);
  if (opcode != kFetchAdd && opcode != kCmpSwap) return;
  judge.advise(opcode == kFetchAdd ? kFetchAddAligned : kCmpSwapAligned, aligned,
               field::rdmap(seen, layout::kAtomicTo, 8), expected("a multiple of eight"), actual(hex(request.to)),
               "right only in a buffer that is itself not aligned");
}

}  // namespace wirelaw::rdmap
