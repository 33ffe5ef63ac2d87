// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.3: control transfer and return.
#include "conformance/umsp/6.3-control-transfer/control_transfer.h"

#include "conformance/umsp/6.3-control-transfer/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

void judge_vm(Judge& judge, const SeenInstruction& seen) {
  for (const Operand operand : {Operand::sender_vm_type, Operand::sender_vm_version})
    if (const auto value = seen.value(operand))
      judge.require(rule<"UMSP-6.3.1-7">, *value != 0 && *value != 0xffff, seen.operand(operand),
                    expected("1 to 65534"), actual(*value), describe(operand).name);
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::jump,
                                               .last = Opcode::call_vm,
                                               .opr_length = &rule<"UMSP-6.3.1-4">,
                                               .operands = &rule<"UMSP-6.3.1-10">,
                                               .judge = judge_vm}};

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::jump, .last = Opcode::jump_vm, .kind = &rule<"UMSP-6.3.1-15">},
    {.first = Opcode::call,
     .last = Opcode::call_vm,
     .answer = Opcode::return_control,
     .kind = &rule<"UMSP-6.3.1-17">,
     .no_rsp = &rule<"UMSP-6.3.1-18">}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::return_control, &rule<"UMSP-6.3.2-1">}};

}  // namespace

SectionTables control_tables() {
  return {.instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

}  // namespace wirelaw::umsp
