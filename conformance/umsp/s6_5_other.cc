// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.5: SYN and NOP.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;

constexpr Section kSyn{"RFC 3018 6.5.1"};
constinit const Rule kSynOnce =
    kSyn.by(stimulus).must_not("UMSP-6.5.1-1", "SYN gets one DATA only, however often the data change.");
constinit const Rule kSynCode = kSyn.by(none).must(
    "UMSP-6.5.1-2", "OPCODE of SYN is that of the address length: 153 for 4, 154 for 8, 155 for 16 octets.",
    "the form itself: another OPCODE reads as another length");
constinit const Rule kSynFits =
    kSyn.must("UMSP-6.5.1-3",
              "OPR_LENGTH of SYN has room for address, data and mask: 2 words for OPCODE 153, 3 for 154, 5 for 155.");
constinit const Rule kSynAddress =
    kSyn.by(none).must("UMSP-6.5.1-4", "The first operand of SYN is the address, as long as the OPCODE says.",
                       "the form itself: other octets are another address");
constinit const Rule kSynEven =
    kSyn.by(none).must("UMSP-6.5.1-5", "The initial data of SYN are 2 to 131068 octets, a multiple of 2.",
                       "half of whole words is always a multiple of 2");
constinit const Rule kSynMask =
    kSyn.by(none).must("UMSP-6.5.1-6", "The mask of SYN has the length of its initial data.",
                       "the form itself: initial data and mask are the halves of what is there");
constinit const Rule kSynHalves = kSyn.by(none).must(
    "UMSP-6.5.1-7", "Initial data and mask of SYN share what is behind the address evenly: they fill whole words.",
    "the form itself: initial data and mask are the halves of what is there");
constinit const Rule kSynDiffersFirst = kSyn.by(stimulus).must(
    "UMSP-6.5.1-8", "The receiver compares memory with the initial data first: a difference is a change.");
constinit const Rule kSynMaskedCounts =
    kSyn.by(stimulus).must("UMSP-6.5.1-9", "The bits that are 1 in the mask are those whose change counts.");
constinit const Rule kSynUnmaskedSilent =
    kSyn.by(stimulus).must_not("UMSP-6.5.1-10", "A change of bits that are 0 in the mask gets no DATA.");
constinit const Rule kSynWrongAddress =
    kSyn.by(stimulus).must("UMSP-6.5.1-11", "SYN with a wrong address gets a negative RSP.");
constinit const Rule kSynSilent =
    kSyn.by(stimulus)
        .resting_on(Evidence::order)
        .must_not("UMSP-6.5.1-12", "While the data do not change nothing is sent for SYN.",
                  "a positive RSP says of no change that there is one to come; a negative one refuses the address");
constinit const Rule kSynChanged =
    kSyn.by(stimulus).must("UMSP-6.5.1-13", "When the data change, DATA with their new value is sent.");

constexpr Section kNop{"RFC 3018 6.5.2"};
constinit const Rule kNopAnyLength =
    kNop.by(stimulus).must("UMSP-6.5.2-1", "NOP is taken with any number of operand words, 0 to 65535.");
constinit const Rule kNopData =
    kNop.by(none).must("UMSP-6.5.2-2", "Operands of NOP are encapsulated data, at most 262140 octets.",
                       "the form itself, and OPR_LENGTH cannot count more");
constinit const Rule kNopAnyHeader =
    kNop.by(stimulus).must("UMSP-6.5.2-3", "A receiver takes NOP with any extension headers.");
constinit const Rule kNopForHeaders =
    kNop.by(none).may("UMSP-6.5.2-4", "NOP carries extension headers where a session has no other instruction to send.",
                      "a purpose, no demand");
constinit const Rule kNopCarriesChains =
    kNop.must("UMSP-6.5.2-5", "NOP has operands in chains only, where they are a fragment or a special transaction.",
              "The sentence speaks of purposes: a warning.");

// An instruction with such a header is meant to be of a chain, whatever CHN says (7).
bool begins_or_ends_chain(const Seen& seen) {
  for (const HeadCode code : {HeadCode::begin_sq, HeadCode::begin_tr, HeadCode::begin_frg, HeadCode::end_chain})
    if (seen.instruction.find_extension(static_cast<std::uint16_t>(code)) != nullptr) return true;
  return false;
}

void judge_nop(Judge& judge, const Seen& seen) {
  if (begins_or_ends_chain(seen)) return;
  judge.advise(kNopCarriesChains, seen.header().chn || seen.instruction.operands.empty(), seen.all_operands(),
               expected("no operands outside of chains"),
               actual([&] { return fmt::format("{} octets", seen.instruction.operands.size()); }));
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::syn_4, .last = Opcode::syn_16, .opr_length = &kSynFits},
                                              {.first = Opcode::nop, .judge = judge_nop}};

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::syn_4, .last = Opcode::syn_16, .answer = Opcode::data, .no_rsp = &kSynSilent},
    {.first = Opcode::nop}};

}  // namespace

UmspSection other_rules() {
  static constexpr const Rule* kRules[] = {
      &kSynOnce,    &kSynCode,         &kSynFits,         &kSynAddress,        &kSynEven,         &kSynMask,
      &kSynHalves,  &kSynDiffersFirst, &kSynMaskedCounts, &kSynUnmaskedSilent, &kSynWrongAddress, &kSynSilent,
      &kSynChanged, &kNopAnyLength,    &kNopData,         &kNopAnyHeader,      &kNopForHeaders,   &kNopCarriesChains};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .answers = kAnswers};
}

}  // namespace wirelaw::umsp
