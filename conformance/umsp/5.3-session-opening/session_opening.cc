// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.3 to 5.3.3: the opening of sessions.
#include "conformance/umsp/5.3-session-opening/session_opening.h"

#include "conformance/umsp/3.1-header/rules.h"
#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/5.3.4-profile/profile.h"
#include "conformance/umsp/5.4-session-closing/session_closing.h"
#include "conformance/umsp/9-search/search.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/follow.h"

namespace wirelaw::umsp {
namespace {

// ------------------------------------------------------------------------------------------ checks of one instruction

void judge_vm(Judge& judge, const SeenInstruction& seen, const Rule& rule, Operand type, Operand version) {
  const std::uint64_t vm_type = seen.value(type).value_or(0);
  const std::uint64_t vm_version = seen.value(version).value_or(0);
  judge.advise(rule, vm_version != 0 || vm_type == 0, seen.operand(version), expected("1 or more"), actual(vm_version),
               [&] { return fmt::format("the VM type is {}", vm_type); });
}

void judge_open_operands(Judge& judge, const SeenInstruction& seen) {
  judge_profiles(judge, seen);
  if (seen.is_of_zero_session()) return;
  judge_vm(judge, seen, rule<"UMSP-5.3-18">, Operand::required_vm_type, Operand::required_vm_version);
  judge_vm(judge, seen, rule<"UMSP-5.3-18">, Operand::sender_vm_type, Operand::sender_vm_version);
  judge_vm_of(judge, seen, Operand::sender_vm_type, Operand::sender_vm_version);
  judge_vm_of(judge, seen, Operand::required_vm_type, Operand::required_vm_version);
  const bool named = seen.value(Operand::sender_vm_type) != 0u || seen.value(Operand::sender_vm_version) != 0u;
  judge.require(rule<"UMSP-5.3.1-27">, named, seen.operand(Operand::sender_vm_type),
                expected("the sender's VM, or its group"), actual("type 0, version 0"));
}

void judge_reject_operands(Judge& judge, const SeenInstruction& seen) {
  const std::uint64_t code = seen.value(Operand::basic_error_code).value_or(0);
  judge.require(rule<"UMSP-5.3.3-9">, code != 0, seen.operand(Operand::basic_error_code), expected("1 or more"),
                actual(code));
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::session_open,
                                               .ask = &rule<"UMSP-5.3.1-6">,
                                               .pck = &rule<"UMSP-5.3.1-4">,
                                               .chn = &rule<"UMSP-5.3.1-5">,
                                               .opr_length = &rule<"UMSP-5.3.1-8">,
                                               .operands = &rule<"UMSP-5.3.1-9">,
                                               .judge = judge_open_operands},
                                              {.first = Opcode::session_accept,
                                               .ask = &rule<"UMSP-5.3.2-3">,
                                               .pck = &rule<"UMSP-5.3.2-5">,
                                               .chn = &rule<"UMSP-5.3.2-7">,
                                               .opr_length = &rule<"UMSP-5.3.2-8">},
                                              {.first = Opcode::session_reject,
                                               .ask = &rule<"UMSP-5.3.3-3">,
                                               .pck = &rule<"UMSP-5.3.3-4">,
                                               .chn = &rule<"UMSP-5.3.3-6">,
                                               .opr_length = &rule<"UMSP-5.3.3-7">,
                                               .judge = judge_reject_operands}};

// The rule for the SESSION_ID: that of the instruction's section, or that of 3.1.
const Rule* names_session_rule(Opcode opcode) {
  switch (opcode) {
    case Opcode::session_open:
      return &rule<"UMSP-5.3.1-11">;
    case Opcode::session_accept:
      return &rule<"UMSP-5.3.2-9">;
    case Opcode::session_reject:
      return &rule<"UMSP-5.3.3-8">;
    case Opcode::session_close:
    case Opcode::session_abend:
      return names_closing_rule(opcode);
    case Opcode::rsp:
    case Opcode::rsp_p:
      return &rule<"UMSP-4.1-8">;
    default:
      return &rule<"UMSP-3.1-49">;
  }
}

const Rule* keeps_id_rule(Opcode opcode) {
  return opcode == Opcode::session_open ? &rule<"UMSP-5.3.1-13"> : &rule<"UMSP-5.3.2-11">;
}

constexpr std::string_view kTurn = "the other side's SESSION_OPEN before it";
constexpr std::string_view kWaiting = "a SESSION_OPEN that waits for it", kAccepted = "SESSION_ACCEPT before it";
constexpr std::string_view kGiven = "an identifier that the receiver has given to a session";
constexpr ClaimRow kClaims[] = {
    {Claim::names_session, nullptr, kGiven, "0x{:08x}", "unless that was before the capture", {}, names_session_rule},
    {Claim::answers_open, nullptr, kGiven, "0x{:08x}", "nothing else answers the SESSION_OPEN that waits",
     Evidence::absence, names_session_rule},
    {Claim::assigns_new_id, &rule<"UMSP-3.1-51">, "an identifier that names no session of the two nodes", "0x{:08x}",
     "the sender has given it to another session, whose end was not seen"},
    {Claim::continues_handshake, &rule<"UMSP-5.3.1-4">, "PCK 11 in a later step of the handshake", "PCK 00",
     "its identifier, GJID and LTID are those of the handshake in which it is the sender's turn"},
    {Claim::opens_in_turn, &rule<"UMSP-5.3.1-2">, kTurn, "two of one side in a row"},
    {Claim::opens_before_acceptance, &rule<"UMSP-5.3.1-2">, kTurn, "the session is no longer being opened"},
    {Claim::is_no_eighth_open, &rule<"UMSP-5.3.1-28">, "SESSION_ACCEPT or SESSION_REJECT", "an eighth SESSION_OPEN"},
    {Claim::keeps_id, nullptr, "0x{:08x}", "0x{:08x}", {}, {}, keeps_id_rule},
    {Claim::keeps_window, &rule<"UMSP-5.3.1-19">, "{}", "{}"},
    {Claim::keeps_ltid, &rule<"UMSP-5.3.1-24">, "0x{:016x}", "0x{:016x}"},
    {Claim::accepts_only_session, &rule<"UMSP-5.3.1-37">, "SESSION_REJECT", "SESSION_ACCEPT",
     "a session of the job is in use, and the node that opens another one is not its JCP"},
    {Claim::accepts_open, &rule<"UMSP-5.3.2-2">, kWaiting, "none"},
    {Claim::accepts_once, &rule<"UMSP-5.3.2-2">, kWaiting, "none",
     "another connection of the two nodes has brought SESSION_ACCEPT"},
    {Claim::rejects_open, &rule<"UMSP-5.3.3-1">, kWaiting, "none"},
    {Claim::rejects_no_own_open, &rule<"UMSP-5.3.3-1">, kWaiting, "the sender's own SESSION_OPEN"},
    {Claim::names_latest_session, &rule<"UMSP-5.3-5">, "the session of this GJID that was accepted last",
     "an older one"},
    {Claim::follows_acceptance, &rule<"UMSP-5.3-20">, kAccepted, "SESSION_OPEN alone"},
    {Claim::follows_no_refusal, &rule<"UMSP-5.3-20">, kAccepted, "SESSION_OPEN and SESSION_REJECT"},
    {Claim::is_before_own_refusal, &rule<"UMSP-5.3.3-2">, "an identifier of a session that was not refused",
     "one that this side has refused"},
};

}  // namespace

void check_session_gjid(Judge& judge, const SeenInstruction& seen, const SessionGjidFact& fact) {
  const auto gjid = identifier_of(seen, Operand::gjid);
  judge.require(rule<"UMSP-5.3.1-22">, gjid == fact.due, seen.operand(Operand::gjid),
                expected([&] { return to_string(fact.due); }), actual([&] { return to_string(*gjid); }));
}

SectionTables session_tables() {
  return {.instructions = kInstructions, .claims = kClaims};
}

}  // namespace wirelaw::umsp
