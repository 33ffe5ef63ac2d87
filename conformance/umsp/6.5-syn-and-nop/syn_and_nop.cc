// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.5: SYN and NOP.
#include "conformance/umsp/6.5-syn-and-nop/syn_and_nop.h"

#include "conformance/umsp/6.1-memory/memory.h"
#include "conformance/umsp/6.5-syn-and-nop/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

// An instruction with such a header is meant to belong to a chain, whatever CHN is (7).
bool begins_or_ends_chain(const SeenInstruction& seen) {
  for (const HeadCode code : {HeadCode::begin_sq, HeadCode::begin_tr, HeadCode::begin_frg, HeadCode::end_chain})
    if (seen.instruction.find_extension(static_cast<std::uint16_t>(code)) != nullptr) return true;
  return false;
}

void judge_nop(Judge& judge, const SeenInstruction& seen) {
  if (begins_or_ends_chain(seen)) return;
  judge.advise(rule<"UMSP-6.5.2-5">, seen.header().chn || seen.instruction.operands.empty(), seen.all_operands(),
               expected("no operands outside of chains"),
               actual([&] { return fmt::format("{} octets", seen.instruction.operands.size()); }));
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::syn_4, .last = Opcode::syn_16, .opr_length = &rule<"UMSP-6.5.1-3">},
    {.first = Opcode::nop, .judge = judge_nop}};

// Data are padded to words of four octets, or of two in a _DATA header.
void judge_change(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
  const auto size = octets_of_answer(seen);
  if (!asked.length || !size) return;
  judge.require(rule<"UMSP-6.5.1-13">, *size == *asked.length || *size == (*asked.length + 3) / 4 * 4,
                seen.all_operands(), expected([&] { return fmt::format("{} octets, rounded up", *asked.length); }),
                actual(*size), [&] { return fmt::format("message {} traces them", asked.index + 1); });
}

constexpr ExchangeAnswerRules kAnswers[] = {{.first = Opcode::syn_4,
                                             .last = Opcode::syn_16,
                                             .answer = Opcode::data,
                                             .no_rsp = &rule<"UMSP-6.5.1-12">,
                                             .judge = judge_change},
                                            {.first = Opcode::nop}};

}  // namespace

SectionTables other_tables() {
  return {.instructions = kInstructions, .answers = kAnswers};
}

}  // namespace wirelaw::umsp
