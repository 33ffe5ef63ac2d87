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
  static constexpr auto stimulus = [](std::string_view id, Level level, std::string_view section,
                                      std::string_view summary, std::string_view note = {}) {
    return extension_rule(id, level, section, Observable::stimulus, summary, note);
  };
  static constinit const Rule kExclusive =
      extension_rule("RDMAPX-5-1", Level::must, "RFC 7306 5", Observable::stimulus,
                     "While an Atomic Operation on some memory is in progress, the RNIC lets no other one at it.",
                     "Many operations on one word from several streams, whose sum must come out right");
  static constinit const Rule kBothOperations =
      stimulus("RDMAPX-5-2", Level::must, "RFC 7306 5",
               "An RNIC that has Atomic Operations at all has both FetchAdd and CmpSwap.");
  static constinit const Rule kResponseQueue = extension_rule("RDMAPX-5-3", Level::must, "RFC 7306 5", Observable::none,
                                                              "An Atomic Response is untagged and on queue 3.",
                                                              "RDMAPX-4.1-8 and RDMAPX-4.1-12 judge the same bits");
  static constinit const Rule kFetchAddError =
      stimulus("RDMAPX-5.1.1-2", Level::must, "RFC 7306 5.1.1",
               "A FetchAdd whose target is not aligned is surfaced as an error.");
  static constinit const Rule kFetchAddNoChange = stimulus("RDMAPX-5.1.1-3", Level::must_not, "RFC 7306 5.1.1",
                                                           "A FetchAdd whose target is not aligned changes no memory.");
  static constinit const Rule kFetchAddTerminate =
      stimulus("RDMAPX-5.1.1-4", Level::must, "RFC 7306 5.1.1",
               "A FetchAdd whose target is not aligned is answered by a Terminate.");
  static constinit const Rule kFetchAddWhole =
      stimulus("RDMAPX-5.1.1-5", Level::must, "RFC 7306 5.1.1",
               "With an Add Mask of zero, FetchAdd adds two integers of 64 bits.");
  static constinit const Rule kFetchAddFields =
      stimulus("RDMAPX-5.1.1-6", Level::must, "RFC 7306 5.1.1",
               "A bit of the Add Mask ends a field: what is carried out of it is dropped.");
  static constinit const Rule kFetchAddOriginal =
      stimulus("RDMAPX-5.1.1-7", Level::must, "RFC 7306 5.1.1",
               "FetchAdd returns the value that was there before, in wire order.");
  static constinit const Rule kCmpSwapMatch =
      stimulus("RDMAPX-5.1.2-2", Level::must, "RFC 7306 5.1.2",
               "Where the masked values are equal, CmpSwap replaces the bits of the Swap Mask and no others.");
  static constinit const Rule kCmpSwapMismatch = stimulus("RDMAPX-5.1.2-3", Level::must, "RFC 7306 5.1.2",
                                                          "Where the masked values differ, CmpSwap changes nothing.");
  static constinit const Rule kCmpSwapOriginal =
      stimulus("RDMAPX-5.1.2-4", Level::must, "RFC 7306 5.1.2",
               "CmpSwap returns the value that was there before, whether it swapped or not.");
  static constinit const Rule kCmpSwapNotDone =
      stimulus("RDMAPX-5.1.2-5", Level::must_not, "RFC 7306 5.1.2",
               "A CmpSwap whose target is not aligned is not performed and changes no memory.");
  static constinit const Rule kCmpSwapError =
      stimulus("RDMAPX-5.1.2-6", Level::must, "RFC 7306 5.1.2",
               "A CmpSwap whose target is not aligned is surfaced as an error.");
  static constinit const Rule kCmpSwapTerminate =
      stimulus("RDMAPX-5.1.2-7", Level::must, "RFC 7306 5.1.2",
               "A CmpSwap whose target is not aligned is answered by a Terminate.");
  static constexpr const Rule* kRules[] = {
      &kExclusive,        &kBothOperations,    &kResponseQueue,   &kFetchAddAligned, &kFetchAddError,
      &kFetchAddNoChange, &kFetchAddTerminate, &kFetchAddWhole,   &kFetchAddFields,  &kFetchAddOriginal,
      &kCmpSwapAligned,   &kCmpSwapMatch,      &kCmpSwapMismatch, &kCmpSwapOriginal, &kCmpSwapNotDone,
      &kCmpSwapError,     &kCmpSwapTerminate};
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
