// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.6.3: calls of object procedures.
#include "conformance/umsp/6.6.3-object-procedures/object_procedures.h"

#include "conformance/umsp/6-exchange/exchange_checks.h"
#include "conformance/umsp/6.6-objects/objects.h"
#include "conformance/umsp/6.6.3-object-procedures/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kRangeThree = 0x3000'0000;  // the first numbers of these ranges
constexpr std::uint64_t kReserved = 0xe000'0000;

void judge_any(Judge& judge, const SeenInstruction& seen) {
  judge_object(judge, seen);
}

// Only procedures of objects of the ranges III and IV have names.
void judge_by_name(Judge& judge, const SeenInstruction& seen, const Rule& ranges, const Rule& name) {
  if (judge_object(judge, seen)) {
    const std::uint64_t number = seen.value(Operand::object_number).value_or(0);
    judge.require(ranges, number >= kRangeThree, seen.operand(Operand::object_number),
                  expected("0x30000000 to 0xdfffffff"), actual(hex(static_cast<std::uint32_t>(number))));
  }
  judge_name_there(judge, seen, name);
}

void judge_call_bname(Judge& judge, const SeenInstruction& seen) {
  judge_by_name(judge, seen, rule<"UMSP-6.6.3.2-10">, rule<"UMSP-6.6.3.2-7">);
}

void judge_get_num_proc(Judge& judge, const SeenInstruction& seen) {
  judge_by_name(judge, seen, rule<"UMSP-6.6.3.3-1">, rule<"UMSP-6.6.3.3-4">);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::call_bnum, .opr_length = &rule<"UMSP-6.6.3.1-2">, .judge = judge_any},
    {.first = Opcode::call_bnum_vm, .opr_length = &rule<"UMSP-6.6.3.1-3">, .judge = judge_any},
    {.first = Opcode::call_bname,
     .last = Opcode::call_bname_vm,
     .opr_length = &rule<"UMSP-6.6.3.2-2">,
     .judge = judge_call_bname},
    {.first = Opcode::get_num_proc, .opr_length = &rule<"UMSP-6.6.3.3-2">, .judge = judge_get_num_proc},
    {.first = Opcode::proc_num, .opr_length = &rule<"UMSP-6.6.3.4-2">, .judge = judge_any}};

void judge_proc_num(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
  const auto number = seen.value(Operand::object_number);
  if (!number || *number >= kReserved) return;
  judge.require(rule<"UMSP-6.6.3.4-4">, *number == asked.object, seen.operand(Operand::object_number),
                expected(hex(asked.object)), actual(hex(static_cast<std::uint32_t>(*number))),
                [&] { return fmt::format("message {} asked", asked.index + 1); });
}

constexpr ExchangeAnswerRules kAnswers[] = {{.first = Opcode::call_bnum,
                                             .last = Opcode::call_bnum_vm,
                                             .answer = Opcode::return_control,
                                             .kind = &rule<"UMSP-6.6.3.1-9">,
                                             .no_rsp = &rule<"UMSP-6.6.3.1-9">},
                                            {.first = Opcode::call_bname,
                                             .last = Opcode::call_bname_vm,
                                             .answer = Opcode::return_control,
                                             .kind = &rule<"UMSP-6.6.3.2-8">,
                                             .no_rsp = &rule<"UMSP-6.6.3.2-8">},
                                            {.first = Opcode::get_num_proc,
                                             .answer = Opcode::proc_num,
                                             .kind = &rule<"UMSP-6.6.3.3-5">,
                                             .no_rsp = &rule<"UMSP-6.6.3.3-6">,
                                             .judge = judge_proc_num}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::proc_num, &rule<"UMSP-6.6.3.4-1">}};

}  // namespace

SectionTables procedure_tables() {
  return {.instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

}  // namespace wirelaw::umsp
