// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/5-job-management/job_checks.h"

#include <fmt/format.h>

#include "conformance/umsp/5.1-job-initiation/rules.h"
#include "conformance/umsp/5.2-task-initiation/rules.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/tracker/job_operands.h"

namespace wirelaw::umsp {
namespace {

// The rule of a request that its answer breaks if it is wrong.
const Rule& rule_of_answer(ManagementRequest::Kind kind) {
  switch (kind) {
    case ManagementRequest::Kind::control:
      return rule<"UMSP-5.1.1-27">;
    case ManagementRequest::Kind::registration:
      return rule<"UMSP-5.2.1-22">;
    case ManagementRequest::Kind::check:
      break;
  }
  return rule<"UMSP-5.2.4-12">;
}

// No request has the REQ_ID of the answer.
void check_unasked(Judge& judge, const SeenInstruction& seen, bool another_waits, const AnswerRules& rules) {
  judge.advise(another_waits ? rules.req_id : rules.in_answer, false, seen.field(HeaderField::req_id),
               expected(another_waits ? "REQ_ID of a request that waits" : "a request before it"),
               actual(hex(seen.header().req_id)), "no request on a connection of the two nodes has it");
}

}  // namespace

void check_is_jcp(Judge& judge, const Rule& rule, const std::optional<bool>& has_task) {
  if (has_task)
    judge.advise(rule, *has_task, octets(0, 1), expected("a node with a task that the sender has confirmed"),
                 actual("none"), "unless that was before the capture");
}

void check_use_after_end(Judge& judge, const SeenInstruction& seen, const Rule& rule,
                         const std::optional<UseAfterEndFact>& fact) {
  using enum UseAfterEndFact::Order;
  if (!fact) return;
  const bool holds = seen.is(Opcode::session_abend);
  const auto want = expected("nothing but SESSION_ABEND in the session");
  const auto got = actual("an instruction");
  const auto why = [&] { return fmt::format("frame {} has ended it for the sender", fact->frame); };
  if (fact->order != likely)
    judge.require(rule, holds, octets(0, 1), want, got, why,
                  fact->order == same_connection ? Evidence::absence : Evidence::order);
  else
    judge.advise(rule, holds, octets(0, 1), want, got,
                 [&] { return why() + ", unless the instruction was sent before that, or the end had not arrived"; });
}

void check_known_ctid(Judge& judge, const SeenInstruction& seen, const Rule& rule,
                      const std::optional<bool>& is_known) {
  if (is_known)
    judge.advise(rule, *is_known, seen.operand(Operand::ctid),
                 expected("a CTID that the JCP has given to a task of the node"),
                 actual(hex(*certain_value(seen, Operand::ctid))), "unless that was before the capture");
}

void check_ended_once(Judge& judge, const SeenInstruction& seen, const Rule& rule, const EndedOnceFact& fact) {
  require_if(judge, fact.is_certain, rule, !fact.is_again, seen.operand(Operand::ctid),
             expected("a task that has not ended"), actual(hex(*certain_value(seen, Operand::ctid))),
             "its node has ended it before, and no task was confirmed with that CTID since then");
}

void check_missing_abend(Judge& judge, const Rule& rule, const MissingAbendFact& fact, std::string_view end) {
  judge.at(message_at(fact.node, fact.latest));
  const auto why = [&] {
    return fmt::format("frame {} has its {}{}", fact.frame, end, fact.is_certain ? "" : ", unless the node is off");
  };
  require_if(judge, fact.is_certain, rule, false, octets(0, 0), expected("SESSION_ABEND on the session"),
             actual("none for 30 s or more"), why);
}

void check_answer(Judge& judge, const SeenInstruction& seen, const AnswerFact& fact, const AnswerRules& rules) {
  using enum AnswerFact::Match;
  if (fact.match == unknown) return;
  if (fact.match == none || fact.match == other_waits)
    return check_unasked(judge, seen, fact.match == other_waits, rules);
  const OctetRange where = seen.field(HeaderField::req_id);
  if (judge.require(rule_of_answer(fact.request->kind), fact.match != wrong_kind, octets(0, 1),
                    expected("the answer to the request of this REQ_ID"), actual(seen.instruction.opcode())) &&
      judge.require(rules.in_answer, fact.match != again, where, expected("one answer to each request"),
                    actual("another one"), "the request of this REQ_ID was answered before"))
    judge.advise(rules.req_id, true, where, expected(""), actual(""));
}

}  // namespace wirelaw::umsp
