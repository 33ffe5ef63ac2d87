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
    return peer.inconclusive("a session of another control point's job is opened without asking it");
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
    return peer.inconclusive("a session of another control point's job is opened without asking it");
  const auto request = TaskReg::read(jcp.registrations().front().instruction, 0, peer.address_octets());
  if (!request) return peer.inconclusive("TASK_REG cannot be read");
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
  if (!other.require(rule<"UMSP-5.3-8">, jcp.registrations().size() == before, "no TASK_REG: the task is there",
                     "TASK_REG"))
    return;
  other.expect_served(rule<"UMSP-5.3-4">, *session, "The task's second session serves.");
  peer.expect_served(rule<"UMSP-5.3-4">, *made.session, "The task's first session goes on to serve.");
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
  peer.require(rule<"UMSP-5.3.1-34">, !ExecutorProbe::says_done(late), "the session before is not served any more",
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
  peer.expect_served(rule<"UMSP-5.3.1-38">, *made.session, "The session that was there goes on to serve.");
}

const CaseRow kRows[] = {
    {"session/each-job-has-a-task",
     {&rule<"UMSP-5.3-7">},
     "A session of another job begins another task.",
     with<each_job_has_a_task>()},
    {"session/opener-is-registered",
     {&rule<"UMSP-5.3.1-25">},
     "TASK_REG names the task that opens the session, by the LTID of its SESSION_OPEN.",
     with<opener_is_registered>()},
    {"session/task-has-sessions",
     {&rule<"UMSP-5.3-4">, &rule<"UMSP-5.3-8">},
     "A second node of the job has a session with the task that is there.",
     with<task_has_sessions>()},
    {"session/jcp-opens-again",
     {&rule<"UMSP-5.3.1-34">, &rule<"UMSP-5.3.1-35">, &rule<"UMSP-5.3.1-36">},
     "The session that the JCP opens again takes the place of the one before.",
     with<jcp_opens_again>()},
    {"session/other-opens-again",
     {&rule<"UMSP-5.3.1-37">, &rule<"UMSP-5.3.1-38">},
     "A second session of the job with the same node, which is not the JCP, is refused.",
     with<other_opens_again>()},
};

}  // namespace

std::vector<Case> reopening_cases() {
  return rows::cases_of(kRows);
}

}  // namespace wirelaw::umsp
