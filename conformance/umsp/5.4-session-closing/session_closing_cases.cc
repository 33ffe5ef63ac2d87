// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.4 to 5.4.2: the end of sessions, for the side that did not open them.
#include <set>

#include "conformance/umsp/5.4-session-closing/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/header_variants.h"
#include "conformance/umsp/probes/ordered_silence.h"

namespace wirelaw::umsp {
namespace {

using Change = void (*)(Draft&);

// The instruction with explicit codes of 0.
Draft with_codes(Opcode opcode) {
  return draft_of(opcode, OctetBuffer(4));
}
void without_operands(Draft& draft) {
  draft.operands.clear();
}

// RSP_P in that session, with any REQ_ID (UMSP/A13).
std::optional<Received> closing_answer(ExecutorProbe& peer, const OpenSession& session) {
  const Instant deadline = peer.in(peer.run().answer_time());
  while (auto one = peer.next(deadline))
    if (one->is(Opcode::rsp_p) && one->membership.session_id == session.ours) return one;
  return std::nullopt;
}

std::optional<Received> close(ExecutorProbe& peer, const OpenSession& session, Change change = nullptr) {
  Draft draft = with_codes(Opcode::session_close);
  if (change != nullptr) change(draft);
  peer.send(ExecutorProbe::in(session, std::move(draft)));
  return closing_answer(peer, session);
}

// ------------------------------------------------------------------------------------------------------- SESSION_CLOSE

void close_is_answered(ServedSession& peer) {
  const auto answer = close(peer, peer.session());
  peer.require(rule<"UMSP-5.4-9">, answer.has_value(), "RSP_P", to_text(answer));
  peer.abend(peer.session());
}

template <Change kChange>
void close_is_taken(ServedSession& peer, std::initializer_list<const Rule*> rules) {
  const auto plain = peer.open_session();
  if (!plain) return;
  const auto usual = close(peer, *plain);
  if (!usual) return peer.inconclusive("a plain SESSION_CLOSE was not answered");
  peer.abend(*plain);
  const auto answer = close(peer, peer.session(), kChange);
  require_each(peer, rules, answer.has_value(), "RSP_P, as for a plain SESSION_CLOSE", to_text(answer));
  peer.abend(peer.session());
}

void close_of_unknown_closes_none(ServedSession& peer) {
  OpenSession unknown = peer.session();
  unknown.theirs ^= 0x5a5a0000;
  peer.send(ExecutorProbe::in(unknown, with_codes(Opcode::session_close)));
  const auto answer = closing_answer(peer, peer.session());
  peer.require(rule<"UMSP-5.4.1-7">, !answer, "no answer in the existing session", to_text(answer));
  peer.expect_served(rule<"UMSP-5.4.1-7">, peer.session(), "The existing session remains in use.");
}

// Closes three sessions during the same thirty seconds. The first closing is cancelled before the answer can arrive,
// the second one after it, and the third session gets only a response.
struct Closing {
  OpenSession session;
  bool ended = false;
};
bool begin_closing(ExecutorProbe& peer, Closing& closing, bool at_once) {
  const auto session = peer.open_session();
  if (!session) return false;
  closing.session = *session;
  Draft close = ExecutorProbe::in(*session, with_codes(Opcode::session_close));
  const Draft nop = ExecutorProbe::in(*session, draft_of(Opcode::nop));
  at_once ? peer.send_together({close, nop}) : peer.send(close);
  const auto answer = closing_answer(peer, *session);
  if (!answer || answer->is_negative()) peer.inconclusive("the IUT did not agree to close a session");
  return peer.ok();
}

void thirty_seconds(ServedSession& peer) {
  Closing early, late, answered;
  if (!begin_closing(peer, early, true) || !begin_closing(peer, late, false) || !begin_closing(peer, answered, false))
    return;
  peer.send(ExecutorProbe::in(late.session, draft_of(Opcode::nop)));
  Draft response = ExecutorProbe::in(answered.session, codes_draft(Opcode::rsp, {}));
  response.req_id = peer.new_request();
  peer.send(response);
  // The thirty seconds of the first two sessions begin before those of the third, so they end no later.
  Instant deadline = peer.in(std::chrono::seconds(30) + peer.run().answer_time());
  while (const auto one = peer.next(deadline)) {
    if (!one->is(Opcode::session_abend)) continue;
    for (Closing* const closing : {&early, &late, &answered})
      closing->ended |= one->membership.session_id == closing->session.ours;
    if (answered.ended) deadline = std::min(deadline, peer.in(peer.run().silence_time()));
  }
  if (!peer.ok()) return;
  constexpr std::string_view kNone = "no SESSION_ABEND: the closing was cancelled";
  CaseRun& run = peer.run();
  const bool all = static_cast<int>(run.require(rule<"UMSP-5.4-6">, !early.ended, kNone, "SESSION_ABEND")) &
                   static_cast<int>(run.require(rule<"UMSP-5.4-17">, !late.ended, kNone, "SESSION_ABEND")) &
                   static_cast<int>(run.require(rule<"UMSP-5.4-7">, answered.ended,
                                                "SESSION_ABEND: a response does not cancel the closing", "none"));
  if (!all) return;
  peer.expect_served(rule<"UMSP-5.4-6">, early.session, "The session is in use again.");
  peer.expect_served(rule<"UMSP-5.4-17">, late.session, "The session is in use again.");
}

// ------------------------------------------------------------------------------------------------------- SESSION_ABEND

// Requires that the IUT execute nothing more on the session, while the connection serves another one.
void expect_over(ServedSession& peer, const OpenSession& other, std::initializer_list<const Rule*> rules) {
  const auto response = answer_in_order(peer, peer.session(), peer.read_draft(peer.address(), 2), other);
  if (!require_each(peer, rules, !ExecutorProbe::says_done(response), "nothing is executed: the session has ended",
                    to_text(response)))
    return;
  peer.show_served(other);
}

template <Change kChange>
void abend_ends(ServedSession& peer, std::initializer_list<const Rule*> rules) {
  const auto other = peer.open_session();
  if (!other) return;
  Draft draft = with_codes(Opcode::session_abend);
  if (kChange != nullptr) kChange(draft);
  peer.send(ExecutorProbe::in(peer.session(), std::move(draft)));
  expect_over(peer, *other, rules);
}

void abend_ends_a_closing(ServedSession& peer) {
  const auto other = peer.open_session();
  if (!other) return;
  const auto answer = close(peer, peer.session());
  if (!answer || answer->is_negative()) return peer.inconclusive("the IUT did not agree to close a session");
  peer.abend(peer.session());
  expect_over(peer, *other, {&rule<"UMSP-5.4-14">});
}

const CaseRow kRows[] = {
    {"closing/close-is-answered",
     {&rule<"UMSP-5.4-9">},
     "The IUT answers SESSION_CLOSE with RSP_P.",
     with<close_is_answered>()},
    {"closing/close-without-operands-is-answered",
     {&rule<"UMSP-5.4.1-10">},
     "The IUT answers SESSION_CLOSE without operands like one with codes of 0.",
     with<ServedSession>(
         [](ServedSession& peer) { close_is_taken<without_operands>(peer, {&rule<"UMSP-5.4.1-10">}); })},
    {"closing/close-with-a-message-is-answered",
     {&rule<"UMSP-5.4.1-4">, &rule<"UMSP-5.4.1-9">},
     "The IUT answers SESSION_CLOSE with a _MSG like one without.",
     with<ServedSession>([](ServedSession& peer) {
       close_is_taken<with_message>(peer, {&rule<"UMSP-5.4.1-4">, &rule<"UMSP-5.4.1-9">});
     })},
    {"closing/close-with-alignment-is-answered",
     {&rule<"UMSP-5.4.1-4">},
     "The IUT answers SESSION_CLOSE with an _ALIGNMENT like one without.",
     with<ServedSession>([](ServedSession& peer) { close_is_taken<with_alignment>(peer, {&rule<"UMSP-5.4.1-4">}); })},
    {"closing/close-of-no-session-closes-none",
     {&rule<"UMSP-5.4.1-7">},
     "The IUT keeps its sessions after SESSION_CLOSE of a session that does not exist.",
     with<close_of_unknown_closes_none>()},
    {"closing/thirty-seconds",
     {&rule<"UMSP-5.4-6">, &rule<"UMSP-5.4-7">, &rule<"UMSP-5.4-17">},
     "The IUT cancels the closing of a session after an instruction, before or after its answer, and not after a "
     "response.",
     with<thirty_seconds>()},
    {"closing/abend-ends-a-closing",
     {&rule<"UMSP-5.4-14">},
     "The IUT ends a session after the SESSION_ABEND that follows the agreement to close it.",
     with<abend_ends_a_closing>()},
    {"closing/abend-ends-the-session",
     {&rule<"UMSP-5.4-3">, &rule<"UMSP-5.4.2-1">},
     "The IUT ends a session in use after SESSION_ABEND.",
     with<ServedSession>([](ServedSession& peer) {
       abend_ends<nullptr>(peer, {&rule<"UMSP-5.4-3">, &rule<"UMSP-5.4.2-1">});
     })},
    {"closing/abend-without-operands-ends-the-session",
     {&rule<"UMSP-5.4.2-12">},
     "The IUT ends a session after SESSION_ABEND without operands like one with codes of 0.",
     with<ServedSession>([](ServedSession& peer) { abend_ends<without_operands>(peer, {&rule<"UMSP-5.4.2-12">}); })},
    {"closing/abend-with-a-message-ends-the-session",
     {&rule<"UMSP-5.4.2-7">, &rule<"UMSP-5.4.2-11">},
     "The IUT ends a session after SESSION_ABEND with a _MSG.",
     with<ServedSession>([](ServedSession& peer) {
       abend_ends<with_message>(peer, {&rule<"UMSP-5.4.2-7">, &rule<"UMSP-5.4.2-11">});
     })},
    {"closing/abend-with-alignment-ends-the-session",
     {&rule<"UMSP-5.4.2-7">},
     "The IUT ends a session after SESSION_ABEND with an _ALIGNMENT.",
     with<ServedSession>([](ServedSession& peer) { abend_ends<with_alignment>(peer, {&rule<"UMSP-5.4.2-7">}); })},
};

}  // namespace

std::vector<Case> session_closing_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
