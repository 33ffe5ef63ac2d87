// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.4: the closing of sessions.
#include "conformance/umsp/5.4-session-closing/session_closing.h"

#include "conformance/umsp/5.4-session-closing/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

void judge_close_ask(Judge& judge, const SeenInstruction& seen) {
  judge.advise(rule<"UMSP-5.4.1-3">, !seen.header().ask, seen.field(HeaderField::ask), expected("0"),
               actual(seen.header().ask));
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::session_close,
                                               .pck = &rule<"UMSP-5.4.1-1">,
                                               .chn = &rule<"UMSP-5.4.1-2">,
                                               .opr_length = &rule<"UMSP-5.4.1-5">,
                                               .judge = judge_close_ask},
                                              {.first = Opcode::session_abend,
                                               .ask = &rule<"UMSP-5.4.2-6">,
                                               .pck = &rule<"UMSP-5.4.2-4">,
                                               .chn = &rule<"UMSP-5.4.2-5">,
                                               .opr_length = &rule<"UMSP-5.4.2-8">}};

constexpr std::string_view kNothing = "nothing after the other side's SESSION_ABEND", kOne = "an instruction";
constexpr ClaimRow kClaims[] = {
    {Claim::closes_own_session, &rule<"UMSP-5.4-1">, "the side that opened the session", "the other side"},
    {Claim::respects_closing, &rule<"UMSP-5.4-12">, "nothing until the other side cancels the closing", kOne},
    {Claim::is_before_own_abend, &rule<"UMSP-5.4-16">, "nothing after the sender's SESSION_ABEND", kOne},
    {Claim::is_before_abend, &rule<"UMSP-5.4.2-1">, kNothing, kOne, "frame {} has the SESSION_ABEND", Evidence::order},
    {Claim::seems_to_be_before_abend, &rule<"UMSP-5.4.2-1">, kNothing, kOne,
     "frame {} has the SESSION_ABEND, unless it had not arrived, or the instruction was sent before that"},
    {Claim::ends_closed_session, &rule<"UMSP-5.4-13">, "SESSION_ABEND 30 s after the positive answer to SESSION_CLOSE",
     "nothing for {} s"},
};

}  // namespace

const Rule* names_closing_rule(Opcode opcode) {
  if (opcode == Opcode::session_close) return &rule<"UMSP-5.4.1-6">;
  if (opcode == Opcode::session_abend) return &rule<"UMSP-5.4.2-9">;
  return nullptr;
}

SectionTables closing_tables() {
  return {.instructions = kInstructions, .claims = kClaims};
}

}  // namespace wirelaw::umsp
