// SPDX-License-Identifier: Apache-2.0
// The values that the document prints for each instruction (RFC 3018, sections 4 to 9), with a rule for each: ASK, PCK,
// CHN, EXT, OPR_LENGTH and the operands. The table of the codec has the values themselves (reference/umsp/layout.h).
// The file of a section names the rules, and one place judges them all (instruction_rules.cc).
//
//   constexpr InstructionRules kTables[] = {
//       {.first = Opcode::control_req, .ask = &rule<"UMSP-5.1.1-4">, …, .judge = judge_control_req}};
#pragma once

#include <span>

#include "conformance/judge.h"
#include "conformance/rule.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

struct InstructionRules {
  Opcode first;
  Opcode last = first;  // last of the neighbouring codes that share these rules
  // A rule is nullptr if the document prints nothing, or a value that no instruction can violate.
  const Rule* ask = nullptr;
  const Rule* pck = nullptr;
  const Rule* chn = nullptr;
  const Rule* ext = nullptr;
  const Rule* opr_length = nullptr;  // Layout::length
  const Rule* operands = nullptr;    // the operands have one of the row's forms
  // Further checks of the fields. Called if the operands have a form (OperandView::flaw is nothing, padding or
  // address).
  void (*judge)(Judge& judge, const SeenInstruction& seen) = nullptr;
};

// Same for an extension header.
struct ExtensionRules {
  HeadCode head_code;
  const Rule* hob = nullptr;
  const Rule* head_length = nullptr;
  const Rule* data = nullptr;  // DATA has one of the row's forms
  // `index` is the place of the extension header in the instruction.
  void (*judge)(Judge& judge, const SeenInstruction& seen, std::size_t index) = nullptr;
};

// True if a rule of the instruction's row reports its PCK or its CHN.
bool is_judged_by_table(const SeenInstruction& seen);
// Judges an instruction by its row, if it has one.
void judge_instruction(Judge& judge, const SeenInstruction& seen);
// Judges each extension header of the instruction by its row.
void judge_extension_rows(Judge& judge, const SeenInstruction& seen);

}  // namespace wirelaw::umsp
