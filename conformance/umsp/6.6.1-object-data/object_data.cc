// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6.6.1 and 6.6.2: reading, writing and comparison of object data.
#include "conformance/umsp/6.6.1-object-data/object_data.h"

#include "conformance/umsp/6-exchange/exchange_checks.h"
#include "conformance/umsp/6.1-memory/memory.h"
#include "conformance/umsp/6.6-objects/objects.h"
#include "conformance/umsp/6.6.1-object-data/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

void judge_any(Judge& judge, const SeenInstruction& seen) {
  judge_object(judge, seen);
}

void judge_write(Judge& judge, const SeenInstruction& seen) {
  judge_object(judge, seen);
  if (judge_data_once(judge, seen, Operand::data, rule<"UMSP-6.6.1.2-6">))
    judge_data_there(judge, seen, Operand::data, rule<"UMSP-6.6.1.2-7">);
}

void judge_write_ext(Judge& judge, const SeenInstruction& seen) {
  judge_object(judge, seen);
  judge_count(judge, seen, rule<"UMSP-6.6.1.3-4">, rule<"UMSP-6.6.1.3-6">);
}

void judge_cmp_ext(Judge& judge, const SeenInstruction& seen) {
  judge_object(judge, seen);
  judge_count(judge, seen, rule<"UMSP-6.6.2.2-4">, rule<"UMSP-6.6.2.2-6">);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::obj_req_data_2,
     .last = Opcode::obj_req_data_4,
     .opr_length = &rule<"UMSP-6.6.1.1-3">,
     .judge = judge_any},
    {.first = Opcode::obj_write_2, .opr_length = &rule<"UMSP-6.6.1.2-8">, .judge = judge_write},
    {.first = Opcode::obj_write_4,
     .last = Opcode::obj_write_8,
     .opr_length = &rule<"UMSP-6.6.1.2-2">,
     .judge = judge_write},
    {.first = Opcode::obj_write_ext,
     .opr_length = &rule<"UMSP-6.6.1.3-2">,
     .operands = &rule<"UMSP-6.6.1.3-9">,
     .judge = judge_write_ext},
    {.first = Opcode::obj_data_cmp_2, .opr_length = &rule<"UMSP-6.6.2.1-6">, .judge = judge_any},
    {.first = Opcode::obj_data_cmp_4,
     .last = Opcode::obj_data_cmp_8,
     .opr_length = &rule<"UMSP-6.6.2.1-5">,
     .judge = judge_any},
    {.first = Opcode::obj_data_cmp_ext,
     .opr_length = &rule<"UMSP-6.6.2.2-2">,
     .operands = &rule<"UMSP-6.6.2.2-9">,
     .judge = judge_cmp_ext}};

// More octets than requested are not the required data. If there are fewer, the object may end there (UMSP/B50).
void judge_object_data(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
  const auto octets_of_data = octets_of_answer(seen);
  if (!asked.length || !octets_of_data) return;
  const std::uint64_t most = (*asked.length + 3) / 4 * 4;
  const auto wanted = expected([&] { return fmt::format("{} octets, rounded up", *asked.length); });
  const auto why = [&] { return fmt::format("message {} asked", asked.index + 1); };
  if (judge.require(rule<"UMSP-6.6.1.1-9">, *octets_of_data <= most, seen.all_operands(), wanted,
                    actual(*octets_of_data), why))
    judge.advise(rule<"UMSP-6.6.1.1-9">, *octets_of_data >= *asked.length, seen.all_operands(), wanted,
                 actual(*octets_of_data), why);
  judge_data_asked_for(judge, seen, asked);
}

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::obj_req_data_2,
     .last = Opcode::obj_req_data_4,
     .answer = Opcode::data,
     .kind = &rule<"UMSP-6.6.1.1-9">,
     .no_rsp = &rule<"UMSP-6.6.1.1-10">,
     .judge = judge_object_data},
    {.first = Opcode::obj_write_2, .last = Opcode::obj_write_8, .kind = &rule<"UMSP-6.6.1.2-11">},
    {.first = Opcode::obj_write_ext, .kind = &rule<"UMSP-6.6.1.3-12">},
    {.first = Opcode::obj_data_cmp_2,
     .last = Opcode::obj_data_cmp_8,
     .kind = &rule<"UMSP-6.6.2.1-8">,
     .judge = judge_comparison},
    {.first = Opcode::obj_data_cmp_ext, .kind = &rule<"UMSP-6.6.2.2-12">, .judge = judge_comparison}};

}  // namespace

SectionTables object_data_tables() {
  return {.instructions = kInstructions, .answers = kAnswers};
}

}  // namespace wirelaw::umsp
