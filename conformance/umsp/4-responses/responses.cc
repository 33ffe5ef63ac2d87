// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 4 to 4.2: responses, and SND_CANCEL.
//
// A session may use several TCP connections (3.4, 5.3), of which a trace may show only some. If something is on none of
// them, it may have been on another one: that is a warning. A contradiction is a violation if the source is complete.
#include "conformance/umsp/4-responses/responses.h"

#include "conformance/umsp/3.1-header/rules.h"
#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/7.5-acknowledgement/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {

namespace {

std::string name_of(std::uint8_t opcode) {
  const Layout* const layout = find_layout(opcode);
  return layout != nullptr ? std::string(layout->name) : fmt::format("OPCODE {}", opcode);
}

// No VM knows an OPCODE that is not assigned. (RSP_P answers no VM: UMSP-4.1-1.)
void check_undeliverable(Judge& judge, const SeenInstruction& seen, const AnsweredFact& fact) {
  const bool undeliverable =
      find_layout(fact.opcode) == nullptr && class_of(fact.opcode) == OpcodeClass::exchange && !fact.is_chained;
  if (!undeliverable || seen.is(Opcode::rsp_p)) return;
  judge.advise(rule<"UMSP-4.1-20">, seen.is(Opcode::rsp) && !seen.says_yes(), octets(0, 1),
               expected([&] { return fmt::format("a negative RSP in answer to {}", name_of(fact.opcode)); }),
               actual([&] { return seen.is(Opcode::rsp) ? "a positive RSP" : std::string(seen.layout->name); }));
}

void check_class(Judge& judge, const SeenInstruction& seen, const AnsweredFact& fact) {
  if (class_of(fact.opcode) == OpcodeClass::reserved) return;  // belongs neither to a VM nor to the protocol layer
  const OctetRange where = seen.field(HeaderField::req_id);
  const auto name = [&] { return fmt::format("the REQ_ID of {}", name_of(fact.opcode)); };
  if (seen.is(Opcode::rsp_p))
    judge.require(rule<"UMSP-4.1-1">, fact.is_of_layer || fact.is_chained, where,
                  expected("a request of the protocol layer, or a chain"), actual(name));
  if (seen.is(Opcode::rsp))
    judge.require(rule<"UMSP-4.1-2">, !fact.is_of_layer, where, expected("a request of a VM"), actual(name));
}

void judge_rsp(Judge& judge, const SeenInstruction& seen) {
  const Pck pck = seen.header().pck;
  if (pck != Pck::no_session)
    judge.require(rule<"UMSP-4.1-4">, pck != Pck::same_chain, seen.field(HeaderField::pck), expected("PCK 01 or 11"),
                  actual("PCK 10"));
  check_claims_before(judge, seen, Claim::answers_without_session, Claim::answers_without_session);
}

void judge_cancel(Judge& judge, const SeenInstruction& seen) {
  if (seen.membership.chain && seen.header().has_chain_fields())
    judge.require(rule<"UMSP-4.2-8">, seen.header().instr_number == 0, seen.field(HeaderField::instr_number),
                  expected(0), actual(seen.header().instr_number));
  check_claims_before(judge, seen, Claim::cancels_chain_being_sent, Claim::cancels_unfinished_chain);
}

constexpr std::string_view kUnended = "a chain without its end", kEnd = "_END_CHAIN before the answer";
constexpr ClaimRow kClaims[] = {
    {Claim::has_new_req_id, &rule<"UMSP-3.1-57">, "a REQ_ID of its own", "0x{:08x}",
     "a request with this REQ_ID waits for its response"},
    {Claim::names_requesters_session, &rule<"UMSP-4.1-8">, "the identifier that the requester gave", "0x{:08x}",
     "it is copied from the request"},
    {Claim::answers_request, &rule<"UMSP-4.1-9">, "the REQ_ID of a request that waits", "0x{:08x}",
     "no request of the two nodes waits for it"},
    {Claim::answers_without_session, &rule<"UMSP-4.1-4">, "PCK 01 or 11", "PCK 00",
     "no request with PCK 00 waits for it"},
    {Claim::answers_whole_chain, &rule<"UMSP-7.5-8">, kEnd, kUnended, "nothing of it can have been executed",
     Evidence::order},
    {Claim::seems_to_answer_whole_chain, &rule<"UMSP-7.5-8">, kEnd, kUnended},
    {Claim::cancels_chain_being_sent, &rule<"UMSP-4.2-7">, "a chain that is being sent", "{}"},
    {Claim::cancels_no_sequence, &rule<"UMSP-4.2-11">, "a transaction, or fragments", "a sequence"},
    {Claim::cancels_unfinished_chain, &rule<"UMSP-4.2-12">, "a chain that is not complete", "a chain with _END_CHAIN"},
    {Claim::is_of_uncancelled_chain, &rule<"UMSP-4.2-14">, "no instruction of a chain that was cancelled",
     "INSTR_NUMBER {}"},
};

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::rsp_p,
     .ask = &rule<"UMSP-4.1-3">,
     .chn = &rule<"UMSP-4.1-6">,
     .opr_length = &rule<"UMSP-4.1-7">,
     .judge = judge_rsp},
    {.first = Opcode::snd_cancel,
     .ask = &rule<"UMSP-4.2-1">,
     .pck = &rule<"UMSP-4.2-2">,
     .chn = &rule<"UMSP-4.2-4">,
     .opr_length = &rule<"UMSP-4.2-5">,
     .judge = judge_cancel},
    {.first = Opcode::rsp,
     .ask = &rule<"UMSP-4.1-3">,
     .chn = &rule<"UMSP-4.1-6">,
     .opr_length = &rule<"UMSP-4.1-7">,
     .judge = judge_rsp},
};

}  // namespace

SectionTables response_tables() {
  return {.instructions = kInstructions, .claims = kClaims};
}

void check_answered(Judge& judge, const SeenInstruction& seen, const AnsweredFact& fact) {
  check_class(judge, seen, fact);
  if (fact.chain) check_claim(judge, *fact.chain);
  check_undeliverable(judge, seen, fact);
}

}  // namespace wirelaw::umsp
