// SPDX-License-Identifier: Apache-2.0
// What the document prints for each instruction (RFC 3018, sections 4 to 9): the values of ASK, PCK, CHN, EXT and
// OPR_LENGTH and the operands, a rule for each. The values themselves are in the table of the codec
// (reference/umsp/layout.h); a section's file names the rules, and one place judges them all (instruction_rules.cc).
//
//   constexpr InstructionRules kTables[] = {
//       {.first = Opcode::control_req, .ask = &rule<"UMSP-5.1.1-4">, …, .judge = judge_control_req}};
#pragma once

#include <span>

#include "conformance/rule.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

struct InstructionRules {
  Opcode first;
  Opcode last = first;  // of neighbouring codes that share their rules
  // Each nullptr where the document prints nothing, or a value that no instruction can have wrongly.
  const Rule* ask = nullptr;
  const Rule* pck = nullptr;
  const Rule* chn = nullptr;
  const Rule* ext = nullptr;
  const Rule* opr_length = nullptr;  // Layout::length
  const Rule* operands = nullptr;    // they are those of one of the row's forms
  // What else its fields must be. Called where the operands have a form (OperandView::flaw is nothing, padding or
  // address).
  void (*judge)(Judge& judge, const Seen& seen) = nullptr;
};

// The same for an extension header.
struct ExtensionRules {
  HeadCode head_code;
  const Rule* hob = nullptr;
  const Rule* head_length = nullptr;
  const Rule* data = nullptr;  // they are those of one of the row's forms
  // `index`: of the extension header in the instruction.
  void (*judge)(Judge& judge, const Seen& seen, std::size_t index) = nullptr;
};

// A rule of the instruction's row reports its PCK or its CHN.
bool is_judged_by_table(const Seen& seen);
// Judges an instruction by its row, where it has one.
void judge_instruction(Judge& judge, const Seen& seen);
// Judges each of its extension headers by its row.
void judge_extension_rows(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
