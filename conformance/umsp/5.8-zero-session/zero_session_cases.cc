// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.8: work without sessions. The cases are skipped for a node that does not support it.
#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/5.8-zero-session/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/header_variants.h"
#include "conformance/umsp/probes/our_jcp.h"

namespace wirelaw::umsp {
namespace {

constexpr OpenSession kZero{};
constexpr VmKind kVmWithoutSession{0xffff, 0xffff};
constexpr auto kRegistrations = {Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8};

// Requires nothing but the version of UMSP.
SessionOpen least_open(ExecutorProbe& peer, const Identifier& gjid) {
  SessionOpen open = peer.good_open(gjid);
  open.required_vm = {};
  open.required_profile = with_field(0, kVersionFirst, kVersionBits, kUmspVersion);
  return open;
}
// Requires more than a node provides, unless it provides everything.
SessionOpen greatest_open(ExecutorProbe& peer) {
  SessionOpen open = least_open(peer, peer.new_job());
  open.required_vm = {777, 1};
  open.required_profile |= kFunctionFlags;
  return open;
}

// Sends SESSION_OPEN for the zero-session, and returns the answer.
std::optional<Received> offer_terms(ExecutorProbe& peer, const SessionOpen& open) {
  Draft draft = open.draft();
  draft.session_id = kZeroSession;
  draft.req_id = kZeroSession;
  peer.send(draft);
  return peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
}

// True if the IUT declares that it works without sessions: it answers SESSION_OPEN for the zero-session, or names the
// VM for it (9.1). The case is skipped otherwise.
bool says_that_it_works(ExecutorProbe& peer) {
  const auto answer = offer_terms(peer, least_open(peer, peer.new_job()));
  if (answer && answer->is(Opcode::session_accept)) return true;
  const auto terms = answer && answer->is(Opcode::session_open) ? SessionOpen::read(answer->instruction) : std::nullopt;
  if (terms && has(terms->sender_profile, ProfileFlag::without_session)) return true;
  Draft draft = VmReq{{kVmWithoutSession}}.draft();
  draft.req_id = peer.new_request();
  peer.send(draft);
  if (peer.next_of({Opcode::vm_notif})) return true;
  peer.skip("the IUT does not declare that it works without sessions");
  return false;
}

bool is_read(ExecutorProbe& peer, std::uint64_t address) {
  return ExecutorProbe::says_done(peer.request(kZero, peer.read_draft(address, 2)));
}

// ----------------------------------------------------------------------------------------- execution without a session

void executes(ExecutorProbe& peer) {
  const auto offered = peer.memory();
  if (!offered || !says_that_it_works(peer)) return;
  const auto response = peer.request(kZero, peer.read_draft(offered->address, 2));
  require_each(peer, {&rule<"UMSP-5.3-14">, &rule<"UMSP-5.8-4">}, ExecutorProbe::says_done(response),
               "a response that reports its execution", to_text(response));
}

void memory_is_reached(ExecutorProbe& peer) {
  if (!peer.memory() || !says_that_it_works(peer)) return;
  peer.expect_served(rule<"UMSP-5.8-5">, kZero, "Octets written without a session are read without one.");
}

void works_without_terms(ExecutorProbe& peer) {
  const auto offered = peer.memory();
  if (!offered) return;
  const bool before = is_read(peer, offered->address);
  if (!says_that_it_works(peer)) return;
  const bool behind = is_read(peer, offered->address);
  if (!behind && !before) return peer.inconclusive("nothing was executed without a session");
  peer.require(rule<"UMSP-5.8-11">, before && behind, "execution before and after SESSION_OPEN of the zero-session",
               before ? "none after it" : "none before it");
}

void makes_no_task(ExecutorProbe& peer) {
  OurJcp jcp(peer.run());
  const auto offered = peer.memory();
  if (!offered || !jcp.ok() || !says_that_it_works(peer)) return;
  static_cast<void>(offer_terms(peer, least_open(peer, peer.new_job(jcp.self()))));
  static_cast<void>(is_read(peer, offered->address));
  jcp.serve(peer);
  const bool asks_here = !peer.is_silent(kRegistrations);
  peer.require(rule<"UMSP-5.8-1">, jcp.registrations().empty() && !asks_here, "no TASK_REG", "TASK_REG");
}

// ------------------------------------------------------------------------------------------ the exchange of parameters

void provided_terms_are_accepted(ExecutorProbe& peer) {
  if (!says_that_it_works(peer)) return;
  const auto answer = offer_terms(peer, least_open(peer, peer.new_job()));
  peer.require(rule<"UMSP-5.8-7">, answer && answer->is(Opcode::session_accept),
               "SESSION_ACCEPT: the SESSION_OPEN requests nothing that the IUT lacks", to_text(answer));
}

void other_terms_are_named(ExecutorProbe& peer) {
  if (!says_that_it_works(peer)) return;
  const auto answer = offer_terms(peer, greatest_open(peer));
  if (answer && answer->is(Opcode::session_accept))
    return peer.skip("the IUT provides everything that can be requested");
  peer.require(rule<"UMSP-5.8-8">, answer && answer->is(Opcode::session_open),
               "SESSION_OPEN with the functions that the IUT provides", to_text(answer));
}

// The node that opens is not the control point, so the IUT would refuse a second session of the job (5.3.1).
void terms_open_no_session(ExecutorProbe& peer) {
  OurJcp jcp(peer.run());
  if (!jcp.ok() || !says_that_it_works(peer)) return;
  const auto other = jcp.open_session(peer, peer.good_open(peer.new_job(jcp.self())));
  if (!other) return;
  const Identifier gjid = peer.new_job(jcp.self());
  static_cast<void>(offer_terms(peer, least_open(peer, gjid)));
  peer.send(peer.first_open(peer.good_open(gjid), peer.new_session()));
  const auto answer = jcp.serve_until(peer, {Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
  peer.require(rule<"UMSP-5.8-10">, answer && !answer->is(Opcode::session_reject),
               "the job's session opens: it did not exist", to_text(answer));
}

const CaseRow kRows[] = {
    {"zero-session/executes",
     {&rule<"UMSP-5.3-14">, &rule<"UMSP-5.8-4">},
     "The IUT executes instructions without a session if it works without sessions.",
     with<executes>()},
    {"zero-session/memory-is-reached",
     {&rule<"UMSP-5.8-5">},
     "The IUT writes and reads memory without a session.",
     with<memory_is_reached>()},
    {"zero-session/works-without-terms",
     {&rule<"UMSP-5.8-11">},
     "The IUT executes instructions of the zero-session before and after its SESSION_OPEN.",
     with<works_without_terms>()},
    {"zero-session/makes-no-task",
     {&rule<"UMSP-5.8-1">},
     "The IUT begins no task and asks no control point for an instruction without a session.",
     with<makes_no_task>()},
    {"zero-session/provided-terms-are-accepted",
     {&rule<"UMSP-5.8-7">},
     "The IUT accepts a SESSION_OPEN of the zero-session that requests nothing special.",
     with<provided_terms_are_accepted>()},
    {"zero-session/other-terms-are-named",
     {&rule<"UMSP-5.8-8">},
     "The IUT answers a SESSION_OPEN of the zero-session that requests too much with one that has what it provides.",
     with<other_terms_are_named>()},
    {"zero-session/terms-open-no-session",
     {&rule<"UMSP-5.8-10">},
     "The IUT opens no session of a job after a SESSION_OPEN of the zero-session.",
     with<terms_open_no_session>()},
};

}  // namespace

std::vector<Case> zero_session_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
