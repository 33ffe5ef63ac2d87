// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.3 to 5.3.3: the handshake of a session, for both sides.
#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/header_variants.h"
#include "conformance/umsp/probes/initiator_work.h"
#include "conformance/umsp/probes/ordered_silence.h"

namespace wirelaw::umsp {
namespace {

constexpr auto kAnswers = {Opcode::session_open, Opcode::session_accept, Opcode::session_reject};
constexpr VmKind kUnknownVm{777, 1};

bool is_taken(const std::optional<Received>& answer) {
  return answer && !answer->is(Opcode::session_reject);
}

std::optional<Received> answer_to_open(ExecutorProbe& peer, const Draft& draft) {
  peer.send(draft);
  return peer.next_of(kAnswers);
}

// ------------------------------------------------------------------------------------------------------ the first step

void is_answered(ExecutorProbe& peer) {
  const auto answer = answer_to_open(peer, peer.first_open(peer.good_open(), peer.new_session()));
  peer.require(rule<"UMSP-5.3.1-1">, answer.has_value(), "SESSION_OPEN, SESSION_ACCEPT or SESSION_REJECT",
               to_text(answer));
}

void unknown_vm_is_answered(ExecutorProbe& peer) {
  SessionOpen open = peer.good_open();
  open.required_vm = kUnknownVm;
  const auto answer = answer_to_open(peer, peer.first_open(open, peer.new_session()));
  peer.require(rule<"UMSP-5.3.1-1">, answer.has_value(), "SESSION_OPEN, SESSION_ACCEPT or SESSION_REJECT",
               to_text(answer));
}

template <auto kChange>
void open_with_headers_is_taken(ExecutorProbe& peer) {
  const auto plain = answer_to_open(peer, peer.first_open(peer.good_open(), peer.new_session()));
  if (!is_taken(plain)) return peer.inconclusive("a SESSION_OPEN without extension headers was not accepted");
  Draft draft = peer.first_open(peer.good_open(), peer.new_session());
  kChange(draft);
  const auto answer = answer_to_open(peer, draft);
  peer.require(rule<"UMSP-5.3.1-7">, is_taken(answer), "the answer to one without extension headers", to_text(answer));
}

// SESSION_ACCEPT has no room for the VM. An IUT that sends it at once follows another reading (UMSP/B7).
void chooses_a_vm(ExecutorProbe& peer) {
  const auto named = answer_to_open(peer, peer.first_open(peer.good_open(), peer.new_session()));
  if (peer.vm() != VmKind{} && !is_taken(named)) return peer.inconclusive("a session with the VM by name was refused");
  SessionOpen open = peer.good_open();
  open.required_vm = {};
  const auto answer = answer_to_open(peer, peer.first_open(open, peer.new_session()));
  if (!peer.require(rule<"UMSP-5.3.1-26">, is_taken(answer), "a SESSION_OPEN that names the VM", to_text(answer)))
    return;
  peer.advise(rule<"UMSP-5.3.1-26">, answer->is(Opcode::session_open), "a SESSION_OPEN that names the VM",
              to_text(answer));
}

// ----------------------------------------------------------------------------------------------------- the later steps

// A handshake in which the IUT has named the VM that it chose, and it is our turn again.
struct Countered {
  SessionOpen open;
  std::uint32_t ours = 0;
  Received answer;
};
std::optional<Countered> countered(ExecutorProbe& peer) {
  Countered begun{.open = peer.good_open(), .ours = peer.new_session(), .answer = {}};
  begun.open.required_vm = {};
  auto answer = answer_to_open(peer, peer.first_open(begun.open, begun.ours));
  if (answer && answer->is(Opcode::session_accept)) {
    peer.skip("the IUT chooses its VM without naming it: there is no third step");
    return std::nullopt;
  }
  if (!is_taken(answer)) {
    peer.inconclusive("a SESSION_OPEN that leaves the VM to the IUT was not accepted: " + to_text(answer));
    return std::nullopt;
  }
  begun.answer = std::move(*answer);
  return begun;
}

template <auto kChange>
std::optional<OpenSession> accepted(ExecutorProbe& peer) {
  auto begun = countered(peer);
  if (!begun) return std::nullopt;
  return peer.finish_opening(begun->open, begun->ours, std::move(begun->answer), kChange);
}

void serves(ExecutorProbe& peer) {
  if (const auto session = peer.open_session())
    peer.expect_served(rule<"UMSP-5.3.2-1">, *session, "Octets written through the session are read through it.");
}

void serves_after_our_accept(ExecutorProbe& peer) {
  if (const auto session = accepted<nullptr>(peer))
    peer.expect_served(rule<"UMSP-5.3.2-1">, *session, "The session that the tester accepted is in use.");
}

template <auto kChange>
void accept_with_headers_is_taken(ExecutorProbe& peer) {
  if (const auto plain = accepted<nullptr>(peer)) peer.show_served(*plain);
  if (!peer.ok()) return;
  if (const auto session = accepted<kChange>(peer))
    peer.expect_served(rule<"UMSP-5.3.2-6">, *session,
                       "The session is in use after SESSION_ACCEPT with extension headers.");
}

// SESSION_ACCEPT after SESSION_REJECT opens nothing, since the session is already refused.
template <auto kChange>
void reject_is_taken(ExecutorProbe& peer, std::initializer_list<const Rule*> rules) {
  const auto plain = accepted<nullptr>(peer);
  if (plain) peer.show_served(*plain);
  auto begun = peer.ok() ? countered(peer) : std::nullopt;
  if (!begun) return;
  Draft reject = codes_draft(Opcode::session_reject, {1, 0});
  reject.session_id = begun->answer.req_id();
  if constexpr (kChange != nullptr) kChange(reject);
  peer.send(reject);
  const auto session = peer.finish_opening(begun->open, begun->ours, std::move(begun->answer));
  const auto offered = peer.memory();
  if (!session || !offered) return;
  const auto response = answer_in_order(peer, *session, peer.read_draft(offered->address, 2), *plain);
  require_each(peer, rules, !response, "no response: the session was refused", to_text(response));
}

void our_vm_may_differ(ExecutorProbe& peer) {
  if (const auto plain = peer.open_session()) peer.show_served(*plain);
  if (!peer.ok()) return;
  SessionOpen open = peer.good_open();
  open.sender_vm = {50001, 7};
  open.sender_profile =
      with_field(profile_of({ProfileFlag::in_session, ProfileFlag::short_headers, ProfileFlag::extended_headers,
                             ProfileFlag::short_data, ProfileFlag::rsp}),
                 kDataLengthFirst, kDataLengthBits, kDataLengthAny);
  const std::uint32_t ours = peer.new_session();
  auto answer = answer_to_open(peer, peer.first_open(open, ours));
  if (!peer.require(rule<"UMSP-5.3-16">, is_taken(answer), "a session with fewer functions on the tester's side",
                    to_text(answer)))
    return;
  if (const auto session = peer.finish_opening(open, ours, std::move(answer)))
    peer.expect_served(rule<"UMSP-5.3-16">, *session, "The IUT serves a peer that provides less than it does.");
}

// ------------------------------------------------------------------------------------------------------- the initiator

// Replaces our SESSION_ACCEPT for the first SESSION_OPEN: `make` gets the SESSION_ACCEPT and the SESSION_OPEN that it
// answers. `ours` and `theirs` are the identifiers of the session; 0 if our node sent no answer.
struct Turned {
  std::uint32_t ours = 0;
  std::uint32_t theirs = 0;
};
template <class Make>
void turn_accept(InitiatorProbe& peer, Turned& turned, SessionOpen& open, Make make) {
  peer.before_taking([&open](const Received& one) {
    if (const auto read = one.is(Opcode::session_open) ? SessionOpen::read(one.instruction) : std::nullopt)
      open = *read;
    return true;
  });
  peer.before_sending([&turned, &open, make](Draft& draft) {
    if (!draft.is(Opcode::session_accept) && !draft.is(Opcode::session_open)) return true;
    turned = {draft.req_id.value_or(0), draft.session_id.value_or(0)};
    make(draft, open);
    return true;
  });
}

// A SESSION_OPEN in which our side offers the required profile, and requires the offered one.
void make_counter(Draft& draft, const SessionOpen& open) {
  if (draft.is(Opcode::session_open)) return;
  SessionOpen counter{.required_vm = open.sender_vm,
                      .required_profile = with_field(open.sender_profile, kVersionFirst, kVersionBits, kUmspVersion),
                      .sender_vm = open.required_vm == VmKind{} ? VmKind{50000, 1} : open.required_vm,
                      .sender_profile = with_field(open.required_profile, kVersionFirst, kVersionBits, 0),
                      .window = 64,
                      .gjid = open.gjid,
                      .ltid = NodeFormat{}.task_id(1)};
  Draft made = counter.draft();
  made.session_id = draft.session_id;
  made.req_id = draft.req_id;
  draft = made;
}

// Our node sends a SESSION_OPEN that the IUT has to answer.
template <auto kChange>
void initiator_answers(InitiatorProbe& peer, const Rule& judged) {
  Turned turned;
  SessionOpen open;
  turn_accept(peer, turned, open, [](Draft& draft, const SessionOpen& asked) {
    make_counter(draft, asked);
    if constexpr (kChange != nullptr) kChange(draft);
  });
  const auto answer = peer.serve_until([&turned](const Received& one) {
    const bool later = one.is(Opcode::session_open) && one.instruction.header.pck != Pck::no_session;
    return turned.ours != 0 && (later || one.is_one_of({Opcode::session_accept, Opcode::session_reject}));
  });
  if (turned.ours == 0) return peer.inconclusive("no session was opened");
  peer.require(judged, is_taken(answer) || (answer && kChange == nullptr),
               "SESSION_OPEN, SESSION_ACCEPT or SESSION_REJECT", to_text(answer));
}

// The IUT sends no exchange instruction, although our node sends SESSION_ACCEPT after SESSION_REJECT.
template <auto kChange>
void initiator_takes_reject(InitiatorProbe& peer, std::initializer_list<const Rule*> rules) {
  Turned turned;
  SessionOpen open;
  turn_accept(peer, turned, open, [](Draft& draft, const SessionOpen&) {
    Draft reject = codes_draft(Opcode::session_reject, {1, 0});
    reject.session_id = draft.session_id;
    if constexpr (kChange != nullptr) kChange(reject);
    draft = reject;
  });
  static_cast<void>(peer.serve_until(Opcode::session_open));
  if (turned.ours == 0) return peer.inconclusive("no session was opened");
  Draft accept = draft_of(Opcode::session_accept);
  accept.session_id = turned.theirs;
  accept.req_id = turned.ours;
  peer.send(accept);
  const auto used = peer.serve_for(peer.run().silence_time(),
                                   [&turned](const Received& one) { return one.membership.session_id == turned.ours; });
  require_each(peer, rules, !used, "nothing on a refused session", to_text(used));
}

void initiator_takes_plain_reject(InitiatorProbe& peer) {
  initiator_takes_reject<nullptr>(peer, {&rule<"UMSP-5.3.1-31">});
}
void initiator_takes_reject_with_message(InitiatorProbe& peer) {
  initiator_takes_reject<with_message>(peer, {&rule<"UMSP-5.3.3-5">, &rule<"UMSP-5.3.3-11">});
}

void initiator_uses_session(InitiatorProbe& peer) {
  peer.expect_goes_on(rule<"UMSP-5.3.2-1">, "A session that both sides have agreed to is used.");
}

// If the IUT left the VM open, it may require that a SESSION_OPEN name it (UMSP/B7).
void initiator_takes_accept_at_once(InitiatorProbe& peer) {
  bool leaves_vm = false;
  peer.accept_at_once();
  peer.before_taking([&leaves_vm](const Received& one) {
    const auto open = one.is(Opcode::session_open) ? SessionOpen::read(one.instruction) : std::nullopt;
    leaves_vm = leaves_vm || (open && open->required_vm == VmKind{});
    return true;
  });
  const auto request = peer.serve_until(is_of_exchange);
  constexpr std::string_view kExpected = "an exchange instruction of the session";
  constexpr std::string_view kWhy = "SESSION_ACCEPT has come for its SESSION_OPEN.";
  if (leaves_vm)
    peer.advise(rule<"UMSP-5.3.2-1">, request.has_value(), kExpected, to_text(request), kWhy);
  else
    peer.require(rule<"UMSP-5.3.2-1">, request.has_value(), kExpected, to_text(request), kWhy);
}

template <auto kChange>
void initiator_takes_accept(InitiatorProbe& peer) {
  peer.accept_at_once();
  if (!peer.serve_until(is_of_exchange)) return peer.inconclusive("SESSION_ACCEPT at once opens no session");
  peer.end(Ending::closed);
  InitiatorProbe again(peer.run());
  again.accept_at_once();
  again.before_sending([](Draft& draft) {
    if (draft.is(Opcode::session_accept)) kChange(draft);
    return true;
  });
  again.expect_goes_on(rule<"UMSP-5.3.2-6">, "The session is used after a SESSION_ACCEPT with extension headers.");
}

const CaseRow kRows[] = {
    {"session/is-answered", {&rule<"UMSP-5.3.1-1">}, "The IUT answers a SESSION_OPEN.", with<is_answered>()},
    {"session/unknown-vm-is-answered",
     {&rule<"UMSP-5.3.1-1">},
     "The IUT answers a SESSION_OPEN for a VM that it does not have.",
     with<unknown_vm_is_answered>()},
    {"session/open-with-a-message-is-taken",
     {&rule<"UMSP-5.3.1-7">},
     "The IUT answers a SESSION_OPEN with a _MSG like one without.",
     with<open_with_headers_is_taken<with_message>>()},
    {"session/open-with-alignment-is-taken",
     {&rule<"UMSP-5.3.1-7">},
     "The IUT answers a SESSION_OPEN with an _ALIGNMENT like one without.",
     with<open_with_headers_is_taken<with_alignment>>()},
    {"session/chooses-a-vm",
     {&rule<"UMSP-5.3.1-26">},
     "The IUT answers a SESSION_OPEN that names no VM with one that does.",
     with<chooses_a_vm>()},
    {"session/serves", {&rule<"UMSP-5.3.2-1">}, "The IUT serves a session that was accepted.", with<serves>()},
    {"session/serves-after-our-accept",
     {&rule<"UMSP-5.3.2-1">},
     "The IUT serves a session that the other side has accepted.",
     with<serves_after_our_accept>()},
    {"session/accept-with-a-message-is-taken",
     {&rule<"UMSP-5.3.2-6">},
     "The IUT opens the session after a SESSION_ACCEPT with a _MSG.",
     with<accept_with_headers_is_taken<with_message>>()},
    {"session/accept-with-alignment-is-taken",
     {&rule<"UMSP-5.3.2-6">},
     "The IUT opens the session after a SESSION_ACCEPT with an _ALIGNMENT.",
     with<accept_with_headers_is_taken<with_alignment>>()},
    {"session/reject-is-taken",
     {&rule<"UMSP-5.3.1-31">},
     "The IUT ends the handshake after SESSION_REJECT at the third step.",
     with<ExecutorProbe>([](ExecutorProbe& peer) { reject_is_taken<nullptr>(peer, {&rule<"UMSP-5.3.1-31">}); })},
    {"session/reject-with-a-message-is-taken",
     {&rule<"UMSP-5.3.3-5">, &rule<"UMSP-5.3.3-11">},
     "The IUT ends the handshake after SESSION_REJECT with a _MSG.",
     with<ExecutorProbe>([](ExecutorProbe& peer) {
       reject_is_taken<with_message>(peer, {&rule<"UMSP-5.3.3-5">, &rule<"UMSP-5.3.3-11">});
     })},
    {"session/reject-with-alignment-is-taken",
     {&rule<"UMSP-5.3.3-5">},
     "The IUT ends the handshake after SESSION_REJECT with an _ALIGNMENT.",
     with<ExecutorProbe>([](ExecutorProbe& peer) { reject_is_taken<with_alignment>(peer, {&rule<"UMSP-5.3.3-5">}); })},
    {"session/sides-may-differ",
     {&rule<"UMSP-5.3-16">},
     "The IUT opens a session for a side with another VM and fewer functions.",
     with<our_vm_may_differ>()},

    {"session/initiator-uses-its-session",
     {&rule<"UMSP-5.3.2-1">},
     "The initiator uses the session that it has opened.",
     with<initiator_uses_session>()},
    {"session/initiator-takes-an-accept",
     {&rule<"UMSP-5.3.2-1">},
     "The initiator uses a session after a SESSION_ACCEPT for its SESSION_OPEN.",
     with<initiator_takes_accept_at_once>()},
    {"session/initiator-takes-an-accept-with-extension-headers",
     {&rule<"UMSP-5.3.2-6">},
     "The initiator accepts SESSION_ACCEPT with a _MSG.",
     with<initiator_takes_accept<with_message>>()},
    {"session/initiator-takes-an-accept-with-alignment",
     {&rule<"UMSP-5.3.2-6">},
     "The initiator accepts SESSION_ACCEPT with an _ALIGNMENT.",
     with<initiator_takes_accept<with_alignment>>()},
    {"session/initiator-answers-an-open",
     {&rule<"UMSP-5.3.1-1">},
     "The initiator answers the SESSION_OPEN of the other side.",
     with<InitiatorProbe>([](InitiatorProbe& peer) { initiator_answers<nullptr>(peer, rule<"UMSP-5.3.1-1">); })},
    {"session/initiator-takes-an-open-with-extension-headers",
     {&rule<"UMSP-5.3.1-7">},
     "The initiator accepts the SESSION_OPEN of the other side with a _MSG.",
     with<InitiatorProbe>([](InitiatorProbe& peer) { initiator_answers<with_message>(peer, rule<"UMSP-5.3.1-7">); })},
    {"session/initiator-takes-a-reject",
     {&rule<"UMSP-5.3.1-31">},
     "The initiator does not use a refused session.",
     with<after_work<initiator_takes_plain_reject>>()},
    {"session/initiator-takes-a-reject-with-a-message",
     {&rule<"UMSP-5.3.3-5">, &rule<"UMSP-5.3.3-11">},
     "The initiator accepts SESSION_REJECT with a _MSG.",
     with<after_work<initiator_takes_reject_with_message>>()},
};

}  // namespace

std::vector<Case> session_opening_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
