// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 3.3: operands.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kSection{"RFC 3018 3.3"};
constexpr Section kReceiver = kSection.by(Observable::stimulus);
constexpr Section kForm = kSection.by(Observable::none);
constexpr std::string_view kEachInstruction = "each instruction's section says what its operands are";

constinit const Rule kLengthCounts =
    kForm.must("UMSP-3.3-1", "Operands have as many words as OPR_LENGTH or OPR_LENGTH_EXT says.", kEachInstruction);
constinit const Rule kWholeWords =
    kForm.must("UMSP-3.3-2", "Operands have a multiple of four octets.", "their length counts words");
constinit const Rule kPaddingIsZero = kSection.must("UMSP-3.3-3", "Octets that pad operands are zero.");
constinit const Rule kPaddedAtEnd =
    kForm.must("UMSP-3.3-4", "Operands are padded at the end, by 3 octets at most.", kEachInstruction);
constinit const Rule kMostOctets =
    kForm.must("UMSP-3.3-5", "Operands have 262140 octets at most.", "UMSP/A6; OPR_LENGTH_EXT counts no more");
constinit const Rule kLongerInExtension = kForm.must(
    "UMSP-3.3-6", "Data that operands cannot hold go in an extension header.", "operands cannot be longer: UMSP-3.3-5");
constinit const Rule kFormByInstruction =
    kForm.must("UMSP-3.3-7", "Operands are as the section of their instruction defines.", kEachInstruction);
constinit const Rule kTooShortNotExecuted =
    kReceiver.must("UMSP-3.3-8", "An instruction whose operands are too short for its format is not executed.");
constinit const Rule kBoundaryKept = kReceiver.must(
    "UMSP-3.3-9", "Operands that make no sense cost the receiver no instruction behind them.", "UMSP/B26");

}  // namespace

UmspSection operand_rules() {
  static constexpr const Rule* kRules[] = {&kLengthCounts,      &kWholeWords,          &kPaddingIsZero,
                                           &kPaddedAtEnd,       &kMostOctets,          &kLongerInExtension,
                                           &kFormByInstruction, &kTooShortNotExecuted, &kBoundaryKept};
  return {.rules = {.rules = kRules}};
}

// Padding is what has a place in a form and belongs to no operand: without a form there is none.
void judge_padding(Judge& judge, const Seen& seen) {
  const OperandView& view = seen.operands;
  const bool broken = view.flaw == OperandFlaw::padding;
  if (view.flaw ? !broken : view.padding == 0) return;
  const std::size_t at = broken ? view.flaw_offset : view.padding_offset;
  const OctetRange all = seen.all_operands();
  judge.require(kPaddingIsZero, !broken, octets(all.offset + at, std::min<std::size_t>(3, all.length - at)),
                expected("zeros"), actual("octets that are not zero"));
}

}  // namespace wirelaw::umsp
