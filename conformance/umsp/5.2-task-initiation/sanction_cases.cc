// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5 and 5.2, for an IUT that executes: it asks the control point of a job before it begins a task.
#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.2-task-initiation/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/sanction_probe.h"
#include "conformance/umsp/probes/with_headers.h"

namespace wirelaw::umsp {
namespace {

constexpr std::string_view kTaskReg = "TASK_REG at the node that the GJID names";

void registers_at_jcp(SanctionProbe& peer) {
  peer.open();
  const auto one = peer.jcp.next_of({Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8, Opcode::task_chk});
  if (one && one->is(Opcode::task_chk))
    return static_cast<void>(
        peer.require(rule<"UMSP-5.2.4-3">, false, "TASK_REG", "TASK_CHK", "the task is a new one"));
  peer.require_each({&rule<"UMSP-5-23">, &rule<"UMSP-5.2-4">, &rule<"UMSP-5.2.1-1">}, one.has_value(), kTaskReg,
                    to_text(one), "the first SESSION_OPEN of a job has come");
  peer.require(rule<"UMSP-5.2.4-3">, true, "", "");
}

void registers_job_and_opener(SanctionProbe& peer) {
  peer.open();
  const auto task = peer.registration();
  if (!task) return;
  peer.require(rule<"UMSP-5.2.1-11">, task->ctid.number == peer.wanted.gjid.task, "the CTID of the GJID",
               "another one");
  const bool of_opener = node_of(task->gtid) == peer.self() && task->gtid.task == peer.wanted.ltid.number;
  peer.require(rule<"UMSP-5.2.1-13">, of_opener, to_string(gtid_of(peer.self(), peer.wanted.ltid)),
               to_string(task->gtid), "the GTID is that of the task that opens the session");
}

void begins_with_the_confirmation(SanctionProbe& peer) {
  peer.open();
  if (!peer.registration()) return;
  peer.expect_silence(rule<"UMSP-5.2-7">, {Opcode::session_open, Opcode::session_accept},
                      "the JCP has not answered TASK_REG");
  if (!peer.ok()) return;
  peer.answer(peer.confirm(0x4711));
  if (const auto opened = peer.finish()) peer.show_served(*opened);
}

void begins_a_task(SanctionedSession& peer) {
  const auto state = peer.state_of(peer.task.ltid);
  peer.require(rule<"UMSP-5.2-1">, !state || !state->is(Opcode::node_reload), "a task with the LTID of TASK_REG",
               to_text(state), "its session is in use");
}

void accepts_the_jcp(ExecutorProbe& peer) {
  const SessionOpen open = peer.good_open();
  peer.send(peer.first_open(open, peer.new_session()));
  const auto answer = peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject,
                                    Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8, Opcode::task_chk});
  peer.require(rule<"UMSP-5.2-9">, answer && answer->is_one_of({Opcode::session_open, Opcode::session_accept}),
               "SESSION_ACCEPT or SESSION_OPEN", to_text(answer), "the JCP itself opens the session");
}

// -------------------------------------------------------------------------------------------------------- TASK_CONFIRM
void expect_begun(SanctionProbe& peer, const Rule& judged, std::string_view explanation) {
  const auto answer = peer.opening_answer();
  peer.require(judged, answer && !answer->is(Opcode::session_reject), "SESSION_ACCEPT or SESSION_OPEN", to_text(answer),
               explanation);
  if (peer.ok()) peer.abend({.ours = peer.ours, .theirs = answer->req_id()});
}

void takes_confirmation_with_headers(SanctionProbe& peer) {
  if (!peer.serve()) return;
  for (const WithHeader& header : kHeaders) {
    peer.open();
    if (!peer.registration()) return;
    peer.answer(header.add(peer.confirm(0x4800 + peer.ours)));
    expect_begun(peer, rule<"UMSP-5.2.2-6">, header.name);
    if (!peer.ok()) return;
  }
}

void takes_job_name(SanctionProbe& peer) {
  peer.open();
  if (!peer.registration()) return;
  peer.answer(named(peer.confirm(0x4800), "a job"));
  expect_begun(peer, rule<"UMSP-5.2.2-12">, "TASK_CONFIRM with _NAME");
}

void leaves_confirmation_unanswered(SanctionProbe& peer) {
  peer.open();
  if (!peer.registration()) return;
  peer.answer(peer.confirm(0x4800));
  if (!peer.finish()) return;
  peer.require(rule<"UMSP-5.2.2-5">, peer.jcp.is_silent({Opcode::rsp, Opcode::rsp_p}), "nothing", "a response",
               "TASK_CONFIRM needs none");
}

// --------------------------------------------------------------------------------------------------------- TASK_REJECT
void expect_refused(SanctionProbe& peer, std::initializer_list<const Rule*> rules, std::string_view explanation) {
  const auto answer = peer.opening_answer();
  peer.require_each(rules, answer && answer->is(Opcode::session_reject), "SESSION_REJECT", to_text(answer),
                    explanation);
}

void refuses_what_was_rejected(SanctionProbe& peer) {
  if (!peer.serve()) return;
  peer.open();
  if (!peer.registration()) return;
  peer.answer(peer.reject());
  expect_refused(peer, {&rule<"UMSP-5.2.3-2">}, "TASK_REG was rejected");
}

void takes_rejection_with_headers(SanctionProbe& peer) {
  peer.open();
  if (!peer.registration()) return;
  peer.answer(peer.reject());
  if (!peer.opening_answer()) return peer.inconclusive("a SESSION_OPEN whose task was rejected got no answer");
  for (const WithHeader& header : kHeaders) {
    peer.open();
    if (!peer.registration()) return;
    peer.answer(header.add(peer.reject()));
    expect_refused(peer, {&rule<"UMSP-5.2.3-7">, &rule<"UMSP-5.2.3-13">}, header.name);
    if (!peer.ok()) return;
  }
}

void takes_rejection_with_period(SanctionProbe& peer) {
  peer.open();
  if (!peer.registration()) return;
  Draft reject = peer.reject();
  reject.extensions.push_back(inaction_extension(120));
  peer.answer(std::move(reject));
  const auto answer = peer.opening_answer();
  // The IUT may ask again with that period.
  const auto again = answer ? std::nullopt : peer.jcp.next(peer.jcp.in(peer.run().silence_time()));
  peer.require(rule<"UMSP-5.2.3-12">, (answer && answer->is(Opcode::session_reject)) || again.has_value(),
               "SESSION_REJECT, or another TASK_REG", to_text(answer), "TASK_REJECT with _INACTION_TIME");
}

void leaves_rejection_unanswered(SanctionProbe& peer) {
  peer.open();
  if (!peer.registration()) return;
  peer.answer(peer.reject());
  if (!peer.opening_answer()) return peer.inconclusive("a SESSION_OPEN whose task was rejected got no answer");
  peer.require(rule<"UMSP-5.2.3-6">, peer.jcp.is_silent({Opcode::rsp, Opcode::rsp_p}), "nothing", "a response",
               "TASK_REJECT needs none");
}

// ------------------------------------------------------------------------------------------------------------ TASK_CHK

// A second node opens a session of the same job. An IUT that checks the node asks the JCP.
void checks_at_the_jcp(SanctionedSession& peer) {
  Party opener(peer.run(), 2);
  if (!opener.ok()) return;
  const std::uint32_t ours = peer.new_session();
  opener.send(peer.first_open(peer.good_open(peer.session.gjid), ours));
  const auto at_opener = opener.next_of(
      {Opcode::session_open, Opcode::session_accept, Opcode::session_reject, Opcode::task_chk, Opcode::task_reg_4});
  const auto asked = peer.jcp.next(peer.jcp.in(peer.run().silence_time()));
  if (!asked && (!at_opener || !at_opener->is(Opcode::task_chk)))
    return peer.skip("the IUT does not check the opener, as it may");
  peer.require(rule<"UMSP-5.2.4-2">, asked && asked->is(Opcode::task_chk), "TASK_CHK at the JCP", to_text(at_opener),
               "another node opens a session of a job whose task exists");
}

const CaseRow kRows[] = {
    {"task/asks-the-control-point",
     {&rule<"UMSP-5-23">, &rule<"UMSP-5.2-4">, &rule<"UMSP-5.2.1-1">, &rule<"UMSP-5.2.4-3">},
     "The IUT asks the job's control point after the first SESSION_OPEN of a job.",
     with<registers_at_jcp>()},
    {"task/names-job-and-opener",
     {&rule<"UMSP-5.2.1-11">, &rule<"UMSP-5.2.1-13">},
     "The IUT sends TASK_REG that names the job and the node that opens the session.",
     with<registers_job_and_opener>()},
    {"task/begins-with-the-confirmation",
     {&rule<"UMSP-5.2-7">},
     "The IUT begins no session before the control point has confirmed its task.",
     with<begins_with_the_confirmation>()},
    {"task/is-begun",
     {&rule<"UMSP-5.2-1">},
     "The IUT has a task of each job whose sessions it serves.",
     with<begins_a_task>()},
    {"task/needs-no-sanction-for-the-control-point",
     {&rule<"UMSP-5.2-9">},
     "The IUT accepts a session that the control point opens without asking.",
     with<accepts_the_jcp>()},
    {"task/takes-task-confirm-with-extension-headers",
     {&rule<"UMSP-5.2.2-6">},
     "The IUT accepts TASK_CONFIRM with extension headers.",
     with<takes_confirmation_with_headers>()},
    {"task/takes-task-confirm-with-a-name",
     {&rule<"UMSP-5.2.2-12">},
     "The IUT accepts TASK_CONFIRM that names the job.",
     with<takes_job_name>()},
    {"task/leaves-task-confirm-unanswered",
     {&rule<"UMSP-5.2.2-5">},
     "The IUT sends no response to TASK_CONFIRM.",
     with<leaves_confirmation_unanswered>()},
    {"task/refuses-what-was-rejected",
     {&rule<"UMSP-5.2.3-2">},
     "The IUT refuses a session whose task was rejected.",
     with<refuses_what_was_rejected>()},
    {"task/takes-task-reject-with-extension-headers",
     {&rule<"UMSP-5.2.3-7">, &rule<"UMSP-5.2.3-13">},
     "The IUT accepts TASK_REJECT with extension headers.",
     with<takes_rejection_with_headers>()},
    {"task/takes-task-reject-with-a-period",
     {&rule<"UMSP-5.2.3-12">},
     "The IUT accepts TASK_REJECT with _INACTION_TIME.",
     with<takes_rejection_with_period>()},
    {"task/leaves-task-reject-unanswered",
     {&rule<"UMSP-5.2.3-6">},
     "The IUT sends no response to TASK_REJECT.",
     with<leaves_rejection_unanswered>()},
    {"task/checks-at-the-control-point",
     {&rule<"UMSP-5.2.4-2">},
     "The IUT asks the JCP about a node that opens a session of an existing task.",
     with<checks_at_the_jcp>()},
};

}  // namespace

std::vector<Case> sanction_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
