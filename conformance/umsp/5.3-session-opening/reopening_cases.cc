// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.3 and 5.3.1: sessions of jobs that other nodes control, tasks with several sessions, and
// sessions that are opened again.
#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/our_jcp.h"

namespace wirelaw::umsp {
namespace {

constexpr auto kAnswers = {Opcode::session_open, Opcode::session_accept, Opcode::session_reject};

// A working session of a job whose control point is another node of ours, which confirmed the task.
struct ControlledSession {
  SessionOpen open;
  std::optional<OpenSession> session;
};
ControlledSession open_controlled(ExecutorProbe& peer, OurJcp& jcp) {
  ControlledSession made{.open = {}, .session = {}};
  if (!jcp.ok() || !peer.ok()) return made;
  made.open = peer.good_open(peer.new_job(jcp.self()));
  made.session = jcp.open_session(peer, made.open);
  if (made.session) peer.show_served(*made.session);
  return made;
}

// ------------------------------------------------------------------------------------------------------------ tasks

void each_job_has_a_task(ExecutorProbe& peer) {
  OurJcp jcp(peer.run());
  static_cast<void>(open_controlled(peer, jcp));
  if (!peer.ok() || jcp.registrations().empty())
    return peer.inconclusive("a session of another control point's job was opened without asking it");
  const std::size_t before = jcp.registrations().size();
  const auto second = jcp.open_session(peer, peer.good_open(peer.new_job(jcp.self())));
  if (!second) return;
  peer.require(rule<"UMSP-5.3-7">, jcp.registrations().size() > before, "TASK_REG for the task of the second job",
               "none");
}

void opener_is_registered(ExecutorProbe& peer) {
  OurJcp jcp(peer.run());
  const ControlledSession made = open_controlled(peer, jcp);
  if (!peer.ok() || jcp.registrations().empty())
    return peer.inconclusive("a session of another control point's job was opened without asking it");
  const auto request = TaskReg::read(jcp.registrations().front().instruction, 0, peer.address_octets());
  if (!request) return peer.inconclusive("TASK_REG could not be read");
  const Identifier opener = identifier_of(peer.format(), peer.self(), made.open.ltid.number);
  peer.require(rule<"UMSP-5.3.1-25">, request->gtid == opener, to_string(opener), to_string(request->gtid));
}

// A second node of ours with the same job reaches the same task: it reads what the first one writes.
void task_has_sessions(ExecutorProbe& peer) {
  OurJcp jcp(peer.run());
  const ControlledSession made = open_controlled(peer, jcp);
  ExecutorProbe other(peer.run(), Route{.node = 2});
  const auto offered = peer.memory();
  if (!peer.ok() || !other.ok() || !jcp.ok() || !offered) return;
  const std::size_t before = jcp.registrations().size();
  const auto session = jcp.open_session(other, made.open);
  if (!session) return;
  jcp.serve(other);
  if (!other.require(rule<"UMSP-5.3-8">, jcp.registrations().size() == before, "no TASK_REG: the task exists",
                     "TASK_REG"))
    return;
  other.expect_served(rule<"UMSP-5.3-4">, *session, "The task's second session is in use.");
  peer.expect_served(rule<"UMSP-5.3-4">, *made.session, "The task's first session remains in use.");
}

// ------------------------------------------------------------------------------------------------------- opening again

// The node that opens the session again is the control point itself.
void jcp_opens_again(ServedSession& peer) {
  const SessionOpen open = peer.good_open(peer.session().gjid);
  const std::uint32_t ours = peer.new_session();
  peer.send(peer.first_open(open, ours));
  auto answer = peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject, Opcode::task_reg_2,
                              Opcode::task_reg_4, Opcode::task_reg_8});
  const bool asks = answer && !answer->is_one_of(kAnswers);
  if (!peer.require(rule<"UMSP-5.3.1-35">, !asks, "no TASK_REG", to_text(answer))) return;
  const bool taken = answer && !answer->is(Opcode::session_reject);
  if (!peer.require(rule<"UMSP-5.3.1-36">, taken, "SESSION_ACCEPT or SESSION_OPEN", to_text(answer))) return;
  const auto again = peer.finish_opening(open, ours, std::move(answer));
  if (!again) return;
  const auto late = peer.request(peer.session(), peer.read_draft(peer.address(), 2));
  peer.require(rule<"UMSP-5.3.1-34">, !ExecutorProbe::says_done(late), "the preceding session is no longer served",
               to_text(late));
  peer.show_served(*again);
}

void other_opens_again(ExecutorProbe& peer) {
  OurJcp jcp(peer.run());
  const ControlledSession made = open_controlled(peer, jcp);
  if (!peer.ok() || !made.session) return;
  const std::uint32_t ours = peer.new_session();
  peer.send(peer.first_open(made.open, ours));
  const auto answer = jcp.serve_until(peer, kAnswers);
  if (!peer.require(rule<"UMSP-5.3.1-37">, answer && answer->is(Opcode::session_reject), "SESSION_REJECT",
                    to_text(answer)))
    return;
  peer.expect_served(rule<"UMSP-5.3.1-38">, *made.session, "The existing session remains in use.");
}

const CaseRow kRows[] = {
    {"session/each-job-has-a-task",
     {&rule<"UMSP-5.3-7">},
     "The IUT begins another task for a session of another job.",
     with<each_job_has_a_task>()},
    {"session/opener-is-registered",
     {&rule<"UMSP-5.3.1-25">},
     "The IUT sends TASK_REG that names the task that opens the session by the LTID of its SESSION_OPEN.",
     with<opener_is_registered>()},
    {"session/task-has-sessions",
     {&rule<"UMSP-5.3-4">, &rule<"UMSP-5.3-8">},
     "The IUT gives a second node of the job a session with the existing task.",
     with<task_has_sessions>()},
    {"session/jcp-opens-again",
     {&rule<"UMSP-5.3.1-34">, &rule<"UMSP-5.3.1-35">, &rule<"UMSP-5.3.1-36">},
     "The IUT replaces a session with the JCP by the one that the JCP opens again.",
     with<jcp_opens_again>()},
    {"session/other-opens-again",
     {&rule<"UMSP-5.3.1-37">, &rule<"UMSP-5.3.1-38">},
     "The IUT refuses a second session of the job with the same node, unless that is the JCP.",
     with<other_opens_again>()},
};

}  // namespace

std::vector<Case> reopening_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
