// SPDX-License-Identifier: Apache-2.0
// RFC 7306, sections 5 and 5.1: what Atomic Operations do.
#include "conformance/rdmap/extensions.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kAlignment =
    "It is the address of the buffer that must be aligned; a buffer may begin anywhere, so an odd Tagged Offset is a "
    "warning";
constinit const Rule kFetchAddAligned =
    extension_rule("RDMAPX-5.1.1-1", Level::must, "RFC 7306 5.1.1", Observable::trace,
                   "FetchAdd targets an address that is a multiple of eight.", kAlignment, Role::any);
constinit const Rule kCmpSwapAligned =
    extension_rule("RDMAPX-5.1.2-1", Level::must, "RFC 7306 5.1.2", Observable::trace,
                   "CmpSwap targets an address that is a multiple of eight.", kAlignment, Role::any);

constexpr std::uint64_t kAlignmentOctets = 8;

}  // namespace

RuleList atomic_operation_rules() {
  static constinit const Rule kExclusive =
      extension_rule("RDMAPX-5-1", Level::must, "RFC 7306 5", Observable::api,
                     "While an Atomic Operation on some memory is in progress, the RNIC lets no other one at it.",
                     "Many operations on one word from several streams, whose sum must come out right");
  static constinit const Rule kResponseQueue = extension_rule("RDMAPX-5-3", Level::must, "RFC 7306 5", Observable::none,
                                                              "An Atomic Response is untagged and on queue 3.",
                                                              "RDMAPX-4.1-8 and RDMAPX-4.1-12 judge the same bits");
  static constexpr const Rule* kRules[] = {&kExclusive, &kResponseQueue, &kFetchAddAligned, &kCmpSwapAligned};
  return kRules;
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
