// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 3 and 3.1: the header of an instruction.
#include "conformance/umsp/3.1-header/header.h"

#include "conformance/umsp/3.1-header/rules.h"
#include "conformance/umsp/instruction_rules.h"

namespace wirelaw::umsp {

namespace {

// The rule that a flaw of PCK and CHN violates. `datagram` selects the one for the first instruction of a datagram, not
// of a stream.
const Rule& rule_of(ContextFlaw flaw, bool datagram) {
  switch (flaw) {
    case ContextFlaw::no_previous:
      return datagram ? rule<"UMSP-3.1-13"> : rule<"UMSP-3.1-18">;
    case ContextFlaw::previous_sessionless:
      return rule<"UMSP-3.1-19">;
    case ContextFlaw::previous_chainless:
      return rule<"UMSP-3.1-24">;
    case ContextFlaw::chain_without_session:
      return rule<"UMSP-3.1-15">;
    case ContextFlaw::chain_without_flag:
      return rule<"UMSP-3.1-23">;
    case ContextFlaw::numbers_exhausted:
      return rule<"UMSP-3.1-27">;
  }
  return rule<"UMSP-3.1-18">;
}

constexpr std::string_view kNothing = "";

// Judges the rules of PCK and CHN that this instruction could have violated.
void judge_context(Judge& judge, const SeenInstruction& seen) {
  const Header& header = seen.header();
  const OctetRange where = octets(1, 1);
  if (!seen.before.inherits) return;
  const auto& flaw = seen.membership.flaw;
  const auto keeps = [&](const Rule& rule) { judge.require(rule, true, where, expected(kNothing), actual(kNothing)); };
  if (flaw) {
    // The instruction's own table has precedence: its rule reports the same fault.
    if (is_judged_by_table(seen)) return;
    judge.require(
        rule_of(*flaw, seen.in_datagram), false, where, expected("PCK and CHN that what was before it allows"),
        actual([&] { return fmt::format("PCK {:02b}, CHN {:d}", static_cast<unsigned>(header.pck), header.chn); }),
        explain(*flaw));
    return;
  }
  const bool inherits = header.pck == Pck::same_session || header.pck == Pck::same_chain;
  if (seen.is_first) keeps(seen.in_datagram ? rule<"UMSP-3.1-13"> : rule<"UMSP-3.1-18">);
  if (inherits) keeps(rule<"UMSP-3.1-19">);
  if (header.pck == Pck::no_session) keeps(rule<"UMSP-3.1-15">);
  if (header.pck == Pck::same_chain) {
    keeps(rule<"UMSP-3.1-23">);
    keeps(rule<"UMSP-3.1-24">);
    keeps(rule<"UMSP-3.1-27">);
  }
}

// SESSION_OPEN and SESSION_ACCEPT assign the session identifier in their REQ_ID (5.3).
void judge_given_id(Judge& judge, const SeenInstruction& seen) {
  const Header& header = seen.header();
  if (!header.has_req_id() || (!seen.is(Opcode::session_open) && !seen.is(Opcode::session_accept))) return;
  const OctetRange where = seen.field(HeaderField::req_id);
  judge.require(rule<"UMSP-3.1-55">, header.req_id != kReservedSessionId, where, expected("another identifier"),
                actual(hex(header.req_id)));
  if (header.has_session_id() && header.session_id != kZeroSession)
    judge.require(rule<"UMSP-3.1-53">, header.req_id != kZeroSession, where, expected("an identifier of the session"),
                  actual(hex(header.req_id)));
}

// The opening and the end of sessions (5.3, 5.4), and RSP and RSP_P (4.1), have their own rules.
void judge_named_id(Judge& judge, const SeenInstruction& seen) {
  const std::uint32_t id = seen.header().session_id;
  if (id == kZeroSession || id == kReservedSessionId || !seen.before.has_own_name) return;
  if (seen.is_about_session() || seen.is(Opcode::rsp) || seen.is(Opcode::rsp_p)) return;
  judge.advise(rule<"UMSP-3.1-49">, !*seen.before.has_own_name, seen.field(HeaderField::session_id),
               expected("the identifier that the addressee gave"), actual(hex(id)),
               "the sender itself has given it to a session");
}

void judge_numbers(Judge& judge, const SeenInstruction& seen) {
  const Header& header = seen.header();
  if (header.has_chain_fields()) {
    judge.require(rule<"UMSP-3.1-44">, header.chain_number != 0, seen.field(HeaderField::chain_number),
                  expected("1 to 65534"), actual(header.chain_number));
    judge.require(rule<"UMSP-3.1-45">, header.chain_number != 0xffff, seen.field(HeaderField::chain_number),
                  expected("1 to 65534"), actual(header.chain_number));
    judge.require(rule<"UMSP-3.1-48">, header.instr_number != kReservedInstrNumber,
                  seen.field(HeaderField::instr_number), expected("0 to 65534"), actual(header.instr_number));
  }
  judge_given_id(judge, seen);
  if (!header.has_session_id()) return;
  judge_named_id(judge, seen);
  judge.require(rule<"UMSP-3.1-54">, header.session_id != kReservedSessionId, seen.field(HeaderField::session_id),
                expected("an identifier that was assigned"), actual(hex(header.session_id)));
}

}  // namespace

void judge_opcode(Judge& judge, std::uint8_t opcode, const OctetRange& where) {
  judge.require(rule<"UMSP-3.1-7">, opcode != 0, where, expected("1 or more"), actual(opcode));
  judge.require(rule<"UMSP-3.1-5">, opcode < 113 || opcode > 127, where, expected("an OPCODE that is not reserved"),
                actual(opcode));
  judge.require(rule<"UMSP-3.1-8">, opcode < 224, where, expected("an OPCODE that is not reserved"), actual(opcode));
  if (class_of(opcode) != OpcodeClass::reserved)
    judge.require(rule<"UMSP-3.1-4">, find_layout(opcode) != nullptr, where, expected("an OPCODE of sections 4 to 9"),
                  actual(opcode));
}

void judge_stream_end(Judge& judge, const Message& message, std::size_t left) {
  judge.found(message);
  judge.advise(rule<"UMSP-3.1-36">, left == 0, octets(0, left), expected("a whole instruction before the FIN"),
               actual([&] { return fmt::format("{} octets of one", left); }));
}

void judge_header(Judge& judge, const SeenInstruction& seen) {
  // The instruction is complete; judge_stream_end() judges the others.
  judge.advise(rule<"UMSP-3.1-36">, true, {}, expected(0), actual(0));
  judge_opcode(judge, seen.instruction.opcode(), octets(0, 1));
  judge_context(judge, seen);
  judge_numbers(judge, seen);
}

}  // namespace wirelaw::umsp
