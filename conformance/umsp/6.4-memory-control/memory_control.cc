// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.4: memory is allocated and freed, and code is moved.
#include "conformance/umsp/6.4-memory-control/memory_control.h"

#include "conformance/umsp/6-exchange/exchange_checks.h"
#include "conformance/umsp/6.4-memory-control/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

void judge_mvcode(Judge& judge, const SeenInstruction& seen) {
  if (judge_data_once(judge, seen, Operand::code, rule<"UMSP-6.4.2-4">))
    advise_data_there(judge, seen, Operand::code, rule<"UMSP-6.4.2-5">);
}

void judge_mvrun(Judge& judge, const SeenInstruction& seen) {
  if (judge_data_once(judge, seen, Operand::code, rule<"UMSP-6.4.5-4">))
    judge_data_there(judge, seen, Operand::code, rule<"UMSP-6.4.5-5">);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::mem_alloc, .opr_length = &rule<"UMSP-6.4.1-1">},
    {.first = Opcode::mvcode, .opr_length = &rule<"UMSP-6.4.2-1">, .judge = judge_mvcode},
    {.first = Opcode::address, .opr_length = &rule<"UMSP-6.4.3-2">, .operands = &rule<"UMSP-6.4.3-2">},
    {.first = Opcode::free, .opr_length = &rule<"UMSP-6.4.4-2">, .operands = &rule<"UMSP-6.4.4-2">},
    {.first = Opcode::mvrun, .opr_length = &rule<"UMSP-6.4.5-1">, .judge = judge_mvrun}};

constexpr ExchangeAnswerRules kAnswers[] = {{.first = Opcode::mem_alloc,
                                             .answer = Opcode::address,
                                             .kind = &rule<"UMSP-6.4.1-3">,
                                             .no_rsp = &rule<"UMSP-6.4.1-4">},
                                            {.first = Opcode::mvcode,
                                             .answer = Opcode::address,
                                             .kind = &rule<"UMSP-6.4.2-10">,
                                             .no_rsp = &rule<"UMSP-6.4.2-11">},
                                            {.first = Opcode::free},
                                            {.first = Opcode::mvrun,
                                             .answer = Opcode::return_control,
                                             .kind = &rule<"UMSP-6.4.5-9">,
                                             .no_rsp = &rule<"UMSP-6.4.5-9">}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::address, &rule<"UMSP-6.4.3-1">}};

}  // namespace

SectionTables memory_control_tables() {
  return {.instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

}  // namespace wirelaw::umsp
