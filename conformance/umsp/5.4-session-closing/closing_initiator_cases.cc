// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.4 to 5.4.2: the end of sessions, for the side that opened them.
#include "conformance/umsp/5.4-session-closing/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/header_variants.h"
#include "conformance/umsp/probes/initiator_work.h"

namespace wirelaw::umsp {
namespace {

using Change = void (*)(Draft&);

void without_operands(Draft& draft) {
  draft.operands.clear();
}

bool is_response_to_exchange(const Draft& draft) {
  const Layout* const layout = find_layout(draft.opcode);
  return layout != nullptr && layout->response && class_of(draft.opcode) == OpcodeClass::exchange;
}

// True for RSP_P to SESSION_CLOSE, which has no REQ_ID to repeat (UMSP/A13). Others answer REQ_BUF and chains.
bool answers_close(const Draft& draft) {
  return draft.is(Opcode::rsp_p) && draft.req_id.value_or(0) == 0;
}

// Serves until the IUT closes its session. Returns the identifier that our node assigned to it; none if the IUT does
// not close it.
std::optional<std::uint32_t> serve_until_close(InitiatorProbe& peer) {
  const auto close = peer.serve_until(Opcode::session_close);
  if (!close || !close->membership.session_id) {
    peer.inconclusive("the IUT did not close its session");
    return std::nullopt;
  }
  return close->membership.session_id;
}

void finishes_closing(InitiatorProbe& peer) {
  const auto id = serve_until_close(peer);
  if (!id) return;
  const auto next = peer.serve_until([&id](const Received& one) { return one.membership.session_id == id; });
  require_each(peer, {&rule<"UMSP-5.4-10">, &rule<"UMSP-5.4-15">}, next.has_value(),
               "SESSION_ABEND, or an instruction that cancels the closing", to_text(next));
}

// Sends a request to the IUT's VM, and returns true if it responds.
bool vm_responds(InitiatorProbe& peer, const OpenSession& session, std::uint32_t number) {
  Draft draft = req_data(MemoryAddress{0}, 4);
  draft.session_id = session.theirs;
  draft.req_id = number;
  peer.send(draft);
  const auto response = peer.serve_until([&](const Received& one) {
    const bool over = one.is(Opcode::session_abend) && one.membership.session_id == session.ours;
    const bool answers = one.is_one_of({Opcode::rsp, Opcode::rsp_p, Opcode::data}) && one.req_id() == number;
    return over || (answers && one.membership.session_id == session.ours);
  });
  if (response && response->is(Opcode::session_abend)) peer.inconclusive("the IUT aborts the session");
  return response.has_value();
}

void goes_on_when_refused(InitiatorProbe& peer) {
  constexpr std::uint32_t kFirst = 0x4711, kSecond = 0x4712;
  peer.before_sending([](Draft& draft) {
    if (answers_close(draft)) draft.operands = codes_draft(Opcode::rsp_p, {1, 0}).operands;
    return true;
  });
  const auto request = peer.serve_until(is_of_exchange);
  const Session* const ours = request ? peer.session() : nullptr;
  if (ours == nullptr) return peer.inconclusive("no session was used");
  const OpenSession session{.ours = ours->id, .theirs = ours->peer_id.value_or(0)};
  if (!vm_responds(peer, session, kFirst)) return peer.inconclusive("the IUT's VM did not respond");
  if (!serve_until_close(peer)) return;
  const bool responds = vm_responds(peer, session, kSecond);
  if (!responds && peer.has_ended())
    return peer.inconclusive("the IUT ended the connection, so it could send nothing more");
  peer.require(rule<"UMSP-5.4-11">, responds, "a response: the session remains in use", "none");
}

void waits_for_the_answer(InitiatorProbe& peer) {
  std::optional<Draft> held;
  peer.before_sending([&held](Draft& draft) {
    const bool holds = answers_close(draft) && !held;
    if (holds) held = draft;
    return !holds;
  });
  const auto id = serve_until_close(peer);
  if (!id) return;
  if (!held) return peer.inconclusive("the tester has nothing to answer");
  const auto is_abend = [&id](const Received& one) {
    return one.is(Opcode::session_abend) && one.membership.session_id == id;
  };
  const auto early = peer.serve_for(3 * peer.run().answer_time(), is_abend);
  if (!peer.require(rule<"UMSP-5.4-8">, !early, "nothing while there is no answer", to_text(early))) return;
  peer.send(*held);
  const auto next = peer.serve_until([&id](const Received& one) { return one.membership.session_id == id; });
  peer.require(rule<"UMSP-5.4-8">, next.has_value(), "SESSION_ABEND after the late answer", to_text(next));
}

// Our node answers the first request of the IUT only some time after SESSION_ABEND. By then, everything that was on its
// way has arrived, and an IUT that has accepted SESSION_ABEND sends nothing more.
template <Change kChange>
void abend_ends(InitiatorProbe& peer, std::initializer_list<const Rule*> rules) {
  std::optional<Draft> held;
  peer.before_sending([&held](Draft& draft) {
    if (!is_response_to_exchange(draft)) return true;
    if (!held) held = draft;
    return false;
  });
  const auto request = peer.serve_until(is_of_exchange);
  const auto id = request ? request->membership.session_id : std::nullopt;
  if (!held || !id) return peer.inconclusive("nothing was requested in a session");
  Draft abend = draft_of(Opcode::session_abend, OctetBuffer(4));
  if (kChange != nullptr) kChange(abend);
  abend.session_id = held->session_id;
  peer.send(abend);
  static_cast<void>(peer.serve_for(peer.run().silence_time()));
  peer.send(*held);
  const auto later = peer.serve_for(peer.run().silence_time(), [&id](const Received& one) {
    return one.membership.session_id == id && !one.is(Opcode::session_abend);
  });
  require_each(peer, rules, !later, "nothing: the session has ended", to_text(later));
}
void plain_abend_ends(InitiatorProbe& peer) {
  abend_ends<nullptr>(peer, {&rule<"UMSP-5.4-3">, &rule<"UMSP-5.4.2-1">});
}
void abend_without_operands_ends(InitiatorProbe& peer) {
  abend_ends<without_operands>(peer, {&rule<"UMSP-5.4.2-12">});
}
void abend_with_message_ends(InitiatorProbe& peer) {
  abend_ends<with_message>(peer, {&rule<"UMSP-5.4.2-7">, &rule<"UMSP-5.4.2-11">});
}

const CaseRow kRows[] = {
    {"closing/initiator-finishes-the-closing",
     {&rule<"UMSP-5.4-10">, &rule<"UMSP-5.4-15">},
     "The initiator ends a session once the other side has agreed to close it.",
     with<finishes_closing>()},
    {"closing/initiator-goes-on-when-it-is-refused",
     {&rule<"UMSP-5.4-11">},
     "The initiator keeps using a session if the other side does not agree to close it.",
     with<goes_on_when_refused>()},
    {"closing/initiator-waits-for-the-answer",
     {&rule<"UMSP-5.4-8">},
     "The initiator waits for the answer to SESSION_CLOSE as long as it takes.",
     with<waits_for_the_answer>()},
    {"closing/initiator-takes-an-abend",
     {&rule<"UMSP-5.4-3">, &rule<"UMSP-5.4.2-1">},
     "The initiator ends a session after SESSION_ABEND of the other side.",
     with<after_work<plain_abend_ends>>()},
    {"closing/initiator-takes-an-abend-without-operands",
     {&rule<"UMSP-5.4.2-12">},
     "The initiator ends a session after SESSION_ABEND without operands.",
     with<after_work<abend_without_operands_ends>>()},
    {"closing/initiator-takes-an-abend-with-a-message",
     {&rule<"UMSP-5.4.2-7">, &rule<"UMSP-5.4.2-11">},
     "The initiator ends a session after SESSION_ABEND with a _MSG.",
     with<after_work<abend_with_message_ends>>()},
};

}  // namespace

std::vector<Case> closing_initiator_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
