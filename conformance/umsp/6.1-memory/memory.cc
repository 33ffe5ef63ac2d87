// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6.1 and 6.2: reading, writing and comparison of memory.
#include "conformance/umsp/6.1-memory/memory.h"

#include <algorithm>

#include "conformance/umsp/6-exchange/exchange_checks.h"
#include "conformance/umsp/6.1-memory/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

void judge_data(Judge& judge, const SeenInstruction& seen) {
  judge_data_once(judge, seen, Operand::data, rule<"UMSP-6.1.2-5">);
}

void judge_write(Judge& judge, const SeenInstruction& seen) {
  if (judge_data_once(judge, seen, Operand::data, rule<"UMSP-6.1.3-6">))
    advise_data_there(judge, seen, Operand::data, rule<"UMSP-6.1.3-7">);
}

void judge_write_ext(Judge& judge, const SeenInstruction& seen) {
  judge_count(judge, seen, rule<"UMSP-6.1.4-3">, rule<"UMSP-6.1.4-5">);
}

void judge_cmp_ext(Judge& judge, const SeenInstruction& seen) {
  judge_count(judge, seen, rule<"UMSP-6.2.2-3">, rule<"UMSP-6.2.2-5">);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::req_data_2,
     .last = Opcode::req_data_4,
     .opr_length = &rule<"UMSP-6.1.1-2">,
     .operands = &rule<"UMSP-6.1.1-2">},
    {.first = Opcode::data, .judge = judge_data},
    {.first = Opcode::write_2, .opr_length = &rule<"UMSP-6.1.3-8">, .judge = judge_write},
    {.first = Opcode::write_4, .last = Opcode::write_16, .opr_length = &rule<"UMSP-6.1.3-4">, .judge = judge_write},
    {.first = Opcode::write_ext,
     .opr_length = &rule<"UMSP-6.1.4-2">,
     .operands = &rule<"UMSP-6.1.4-9">,
     .judge = judge_write_ext},
    {.first = Opcode::cmp_2, .opr_length = &rule<"UMSP-6.2.1-7">},
    {.first = Opcode::cmp_4, .last = Opcode::cmp_16, .opr_length = &rule<"UMSP-6.2.1-4">},
    {.first = Opcode::cmp_ext,
     .opr_length = &rule<"UMSP-6.2.2-2">,
     .operands = &rule<"UMSP-6.2.2-9">,
     .judge = judge_cmp_ext}};

// ------------------------------------------------------------------------------------------------------------ answers

constexpr std::uint64_t rounded(std::uint64_t octets, std::uint64_t to) {
  return (octets + to - 1) / to * to;
}

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::req_data_2,
     .last = Opcode::req_data_4,
     .answer = Opcode::data,
     .kind = &rule<"UMSP-6.1.1-7">,
     .no_rsp = &rule<"UMSP-6.1.1-9">,
     .judge = judge_data_asked_for},
    {.first = Opcode::write_2, .last = Opcode::write_16, .kind = &rule<"UMSP-6.1.3-11">},
    {.first = Opcode::write_ext, .kind = &rule<"UMSP-6.1.4-12">},
    {.first = Opcode::cmp_2, .last = Opcode::cmp_ext, .kind = &rule<"UMSP-6.2.3-1">, .judge = judge_comparison}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::data, &rule<"UMSP-6.1.2-1">}};

}  // namespace

SectionTables memory_tables() {
  return {.instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

std::optional<std::uint64_t> octets_of_answer(const SeenInstruction& seen) {
  const ExtensionHeader* const header = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::data));
  if (header == nullptr) return seen.instruction.operands.size();
  if (!seen.instruction.operands.empty()) return std::nullopt;
  return header->data.size();
}

// Data in a _DATA header is padded to words of two octets, or of four.
void judge_data_asked_for(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
  if (!asked.length) return;
  const ExtensionHeader* const header = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::data));
  if (header && !seen.instruction.operands.empty()) return;  // it is unknown which of the operands are the data
  const Octets data = header ? header->data : seen.instruction.operands;
  const bool whole = data.size() == rounded(*asked.length, 4) || (header && data.size() == rounded(*asked.length, 2));
  if (asked.opcode == static_cast<std::uint8_t>(Opcode::req_data_2) ||
      asked.opcode == static_cast<std::uint8_t>(Opcode::req_data_4))
    judge.require(rule<"UMSP-6.1.1-8">, whole, seen.all_operands(),
                  expected([&] { return fmt::format("{} octets, rounded up", *asked.length); }), actual(data.size()),
                  [&] { return fmt::format("message {} asked", asked.index + 1); });
  if (header || !whole || data.size() == *asked.length) return;
  const auto padding = data.subspan(static_cast<std::size_t>(*asked.length));
  judge.require(rule<"UMSP-6.1.2-8">, std::ranges::all_of(padding, [](Octet octet) { return octet == 0; }),
                octets(seen.all_operands().offset + static_cast<std::size_t>(*asked.length), padding.size()),
                expected("octets of zero"), actual("others"),
                [&] { return fmt::format("message {} asked for {} octets", asked.index + 1, *asked.length); });
}

void judge_comparison(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
  const auto outcome = seen.value(Operand::additional_return_code);
  if (!outcome || !seen.says_yes()) return;
  constexpr std::uint64_t kLess = 0xffff, kMore = 1;
  judge.require(rule<"UMSP-6.2.3-4">, *outcome <= kMore || *outcome == kLess,
                seen.operand(Operand::additional_return_code), expected("0xffff, 0 or 1"),
                actual(hex(static_cast<std::uint16_t>(*outcome))),
                [&] { return fmt::format("message {} asked", asked.index + 1); });
}

}  // namespace wirelaw::umsp
