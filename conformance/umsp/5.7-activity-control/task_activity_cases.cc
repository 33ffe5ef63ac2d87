// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.6.2 and 5.7, for an IUT that executes: how it handles the control point's notices and answers
// STATE_REQ.
#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.6-job-completion/rules.h"
#include "conformance/umsp/5.7-activity-control/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/sanction_probe.h"
#include "conformance/umsp/probes/with_headers.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kNoTask = 0xdead;

// ---------------------------------------------------------------------------------------------------- the end of a job
Draft completed(const SanctionProbe& peer, std::optional<Codes> codes = Codes{1, 2}) {
  return JobCompletedInfo{codes, peer.session.gjid}.draft();
}

void expect_over(SanctionProbe& peer, std::initializer_list<const Rule*> rules, std::string_view explanation) {
  const bool has_come = peer.has_all_of_jcp();
  const bool served = peer.is_served();
  if (served && !has_come) return peer.inconclusive("the IUT answers nothing after JOB_COMPLETED_INFO");
  peer.require_each(rules, !served, "no response in a session of the job", "one", explanation);
}

void removes_sessions(SanctionedSession& peer) {
  peer.jcp.send(completed(peer));
  expect_over(peer, {&rule<"UMSP-5.6.2-13">}, "JOB_COMPLETED_INFO has come");
}

void ends_task(SanctionedSession& peer) {
  const auto before = peer.state_of(peer.task.ltid);
  if (!before || !before->is(Opcode::task_state)) return peer.inconclusive("the task's state could not be requested");
  peer.jcp.send(completed(peer));
  const auto after = peer.state_of(peer.task.ltid);
  const auto state = after && after->is(Opcode::task_state) ? TaskState::read(after->instruction) : std::nullopt;
  const bool over = !state || state->state == static_cast<std::uint8_t>(TaskCondition::completed);
  peer.require_each({&rule<"UMSP-5.6.2-15">, &rule<"UMSP-5.7.3-13">}, over, "TASK_STATE with state 4, or NODE_RELOAD",
                    state ? "TASK_STATE of an active task" : to_text(after), "JOB_COMPLETED_INFO has come");
}

void takes_both_forms(SanctionedSession& peer) {
  peer.jcp.send(completed(peer, std::nullopt));
  expect_over(peer, {&rule<"UMSP-5.6.2-11">}, "JOB_COMPLETED_INFO without codes has come");
  if (!peer.ok() || !peer.serve()) return;
  peer.jcp.send(completed(peer));
  expect_over(peer, {&rule<"UMSP-5.6.2-11">}, "JOB_COMPLETED_INFO with codes has come");
}

void takes_notice_with_headers(SanctionedSession& peer) {
  for (const WithHeader& header : kHeaders) {
    peer.jcp.send(header.add(completed(peer)));
    expect_over(peer, {&rule<"UMSP-5.6.2-6">, &rule<"UMSP-5.6.2-10">}, header.name);
    if (!peer.ok() || !peer.serve()) return;
  }
}

// --------------------------------------------------------------------------------------------------------- TASK_STATE
std::optional<std::uint8_t> state_in(const std::optional<Received>& answer) {
  const auto state = answer && answer->is(Opcode::task_state) ? TaskState::read(answer->instruction) : std::nullopt;
  return state ? std::optional(state->state) : std::nullopt;
}
std::string state_text(const std::optional<Received>& answer) {
  const auto state = state_in(answer);
  return state ? "TASK_STATE with state " + std::to_string(*state) : to_text(answer);
}
constexpr std::uint8_t code(TaskCondition condition) {
  return static_cast<std::uint8_t>(condition);
}

void answers_state_req(SanctionedSession& peer) {
  peer.jcp.send(StateReq{peer.task.ltid}.draft());
  const auto answer = peer.jcp.next_of({Opcode::task_state, Opcode::node_reload, Opcode::state_req});
  peer.require_each({&rule<"UMSP-5.7.2-11">, &rule<"UMSP-5.7.3-1">}, answer.has_value(),
                    "TASK_STATE or NODE_RELOAD at the JCP", "nothing at the JCP", "STATE_REQ has come from it");
  peer.require(rule<"UMSP-5.7.2-1">, answer && !answer->is(Opcode::state_req), "no STATE_REQ", to_text(answer),
               "the JCP asks, and is not asked");
}

void reports_sessions(SanctionedSession& peer) {
  const auto answer = peer.state_of(peer.task.ltid);
  peer.require(rule<"UMSP-5.7.3-10">, state_in(answer) == code(TaskCondition::has_sessions), "TASK_STATE with state 1",
               state_text(answer), "the task has a session in use");
}

std::optional<Received> state_without_session(SanctionedSession& peer) {
  peer.abend(peer.session);
  if (!peer.has_all_of_opener()) {
    peer.inconclusive("the IUT answers nothing after SESSION_ABEND");
    return std::nullopt;
  }
  return peer.state_of(peer.task.ltid);
}

void reports_no_sessions(SanctionedSession& peer) {
  const auto memory = peer.request(peer.session, mem_alloc(64));
  if (!memory || !memory->is(Opcode::address)) return peer.skip("the IUT allocates no memory");
  const auto answer = state_without_session(peer);
  if (!peer.ok()) return;
  peer.require(rule<"UMSP-5.7.3-11">, state_in(answer) == code(TaskCondition::no_sessions), "TASK_STATE with state 2",
               state_text(answer), "the task has memory, and its session has ended");
}

// The IUT may count the initial possessions of a task as resources.
void reports_no_resources(SanctionedSession& peer) {
  const auto answer = state_without_session(peer);
  if (!peer.ok()) return;
  const auto state = state_in(answer);
  const bool inactive = state == code(TaskCondition::no_sessions) || state == code(TaskCondition::no_resources);
  peer.require(rule<"UMSP-5.7.3-12">, inactive, "TASK_STATE with state 3", state_text(answer),
               "the task has allocated nothing, and its session has ended");
  peer.advise(rule<"UMSP-5.7.3-12">, state == code(TaskCondition::no_resources), "TASK_STATE with state 3",
              state_text(answer), "the task has allocated nothing, and its session has ended");
}

void takes_long_ltid(SanctionedSession& peer) {
  if (peer.memory_octets() == 8) return peer.skip("LTIDs of the IUT have eight octets already");
  const auto plain = peer.state_of({peer.task.ltid.number, 4});
  if (!plain || !plain->is(Opcode::task_state)) return peer.inconclusive("the task's state could not be requested");
  const auto answer = peer.state_of({peer.task.ltid.number, 8});
  peer.require(rule<"UMSP-5-27">, answer && answer->is(Opcode::task_state), "TASK_STATE", to_text(answer),
               "STATE_REQ has the LTID with additional leading zeros");
}

void reloads_without_task(SanctionedSession& peer) {
  const auto answer = peer.state_of({kNoTask, 4});
  peer.require(rule<"UMSP-5.7.4-1">, answer.has_value(), "an answer at the JCP", "nothing at the JCP",
               "STATE_REQ has come from it");
  peer.require(rule<"UMSP-5.7.4-10">, answer && answer->is(Opcode::node_reload), "NODE_RELOAD", to_text(answer),
               "STATE_REQ has an LTID that belongs to no task");
}

// The check is optional (5.7.2): a node that makes it waits for two periods.
void waits_for_jcp(SanctionProbe& peer) {
  constexpr std::uint16_t kTwoSeconds = 4;
  if (!peer.serve(kTwoSeconds)) return;
  static_cast<void>(peer.next(peer.jcp.in(std::chrono::milliseconds(2600))));
  peer.require(rule<"UMSP-5.7.2-14">, peer.is_served(), "a response in the session", "none",
               "less than two periods have passed since the JCP's last instruction");
}

const CaseRow kRows[] = {
    {"task/job-completed-removes-sessions",
     {&rule<"UMSP-5.6.2-13">},
     "The IUT removes the sessions of the job after JOB_COMPLETED_INFO.",
     with<removes_sessions>()},
    {"task/job-completed-ends-the-task",
     {&rule<"UMSP-5.6.2-15">, &rule<"UMSP-5.7.3-13">},
     "The IUT ends the task of the job after JOB_COMPLETED_INFO.",
     with<ends_task>()},
    {"task/takes-job-completed-with-and-without-codes",
     {&rule<"UMSP-5.6.2-11">},
     "The IUT accepts JOB_COMPLETED_INFO with and without codes.",
     with<takes_both_forms>()},
    {"task/takes-job-completed-with-extension-headers",
     {&rule<"UMSP-5.6.2-6">, &rule<"UMSP-5.6.2-10">},
     "The IUT accepts JOB_COMPLETED_INFO with extension headers.",
     with<takes_notice_with_headers>()},
    {"task/answers-state-req",
     {&rule<"UMSP-5.7.2-11">, &rule<"UMSP-5.7.3-1">, &rule<"UMSP-5.7.2-1">},
     "The IUT sends the answer to STATE_REQ to the control point.",
     with<answers_state_req>()},
    {"task/reports-sessions",
     {&rule<"UMSP-5.7.3-10">},
     "The IUT reports state 1 for a task with sessions.",
     with<reports_sessions>()},
    {"task/reports-no-sessions",
     {&rule<"UMSP-5.7.3-11">},
     "The IUT reports state 2 for a task with resources only.",
     with<reports_no_sessions>()},
    {"task/reports-no-resources",
     {&rule<"UMSP-5.7.3-12">},
     "The IUT reports state 3 for a task without sessions and resources.",
     with<reports_no_resources>()},
    {"task/takes-an-ltid-of-another-length",
     {&rule<"UMSP-5-27">},
     "The IUT reads an LTID with leading zeros as the same LTID.",
     with<takes_long_ltid>()},
    {"task/reload-where-there-is-no-task",
     {&rule<"UMSP-5.7.4-1">, &rule<"UMSP-5.7.4-10">},
     "The IUT answers STATE_REQ for no task with NODE_RELOAD.",
     with<reloads_without_task>()},
    {"task/waits-two-periods-for-the-control-point",
     {&rule<"UMSP-5.7.2-14">},
     "The IUT abandons a silent control point after two periods at the earliest.",
     with<waits_for_jcp>()},
};

}  // namespace

std::vector<Case> task_activity_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
