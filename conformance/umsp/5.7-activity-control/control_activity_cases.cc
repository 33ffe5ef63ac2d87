// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.7, for an IUT that is the control point (JCP): how it checks the activity of nodes.
#include "conformance/umsp/5.5-task-termination/rules.h"
#include "conformance/umsp/5.7-activity-control/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/control_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kTwoSeconds = 4, kHalfAMinute = 60;

// A job of node 0 with a task on node 1, which gets STATE_REQ, and one on node 2, which gets the notices.
class WatchedJob : public ControlProbe {
 public:
  explicit WatchedJob(CaseRun& run) : ControlProbe(run), watched(run, 1), other(run, 2) {
    if (!ok()) return;
    if (!watched.ok() || !other.ok()) stop();
    if (!ok()) return;
    if (const auto begun = begin_job(*this)) job = *begun;
    if (!ok()) return;
    register_task(other, job, 0);
    if (!ok()) return;
    if (const auto one = register_task(watched, job, kTwoSeconds)) task = *one;
    if (ok() && period() == 0) skip("the IUT does not monitor nodes");
  }
  std::uint16_t period() const { return task.period.value_or(0); }
  // The STATE_REQ to the watched node. Inconclusive if none arrives.
  std::optional<TaskId> question() {
    if (!ok()) return std::nullopt;
    const auto asked = next_question(watched, period());
    if (!asked) inconclusive("no STATE_REQ came within a period and the time limit for the answer");
    return asked;
  }
  void answer(TaskCondition state, const ControlledTask& of) {
    watched.send(TaskState{static_cast<std::uint8_t>(state), of.ctid}.draft());
  }

  Party watched, other;
  ControlledJob job;
  ControlledTask task;
};

void asks_for_state(WatchedJob& peer) {
  const auto asked = ControlProbe::next_question(peer.watched, peer.period());
  peer.require_each({&rule<"UMSP-5.7-5">, &rule<"UMSP-5.7.2-1">}, asked.has_value(), "STATE_REQ",
                    "none for a period and the time limit for the answer",
                    "the node has a confirmed task, and a period");
  if (!peer.ok()) return;
  peer.require(rule<"UMSP-5.7.2-8">, asked->number == peer.task.ltid.number, "the LTID of the node's only task",
               std::to_string(asked->number));
  peer.answer(TaskCondition::has_sessions, peer.task);
  const auto next = ControlProbe::next_question(peer.watched, peer.period());
  peer.require(rule<"UMSP-5.7-5">, next.has_value(), "STATE_REQ again", "none", "another period has passed");
}

void active_task_is_no_ended_one(WatchedJob& peer) {
  if (!peer.question()) return;
  peer.answer(TaskCondition::has_sessions, peer.task);
  const auto notice = ControlProbe::next_notice(peer.other, peer.run().silence_time());
  peer.require(rule<"UMSP-5.5.2-3">, !notice, "no notice", to_text(notice), "the task has reported that it is active");
}

void looks_at_no_reserved_octets(WatchedJob& peer) {
  if (!peer.question()) return;
  Draft state = TaskState{static_cast<std::uint8_t>(TaskCondition::has_sessions), peer.task.ctid}.draft();
  state.operands[1] = 0xa5;
  peer.watched.send(state);
  const auto time = ControlProbe::time_of(peer.period()) + peer.run().silence_time();
  const auto notice = ControlProbe::next_notice(peer.other, time);
  peer.require(rule<"UMSP-5.7.3-15">, !notice, "no notice", to_text(notice),
               "TASK_STATE has reported that the task is active, with a nonzero reserved octet");
}

void waits_one_period(WatchedJob& peer) {
  if (!peer.question()) return;
  const auto early = ControlProbe::next_notice(peer.other, ControlProbe::time_of(peer.period()) * 3 / 4);
  peer.require(rule<"UMSP-5.7.2-12">, !early, "no notice for one period", to_text(early),
               "three quarters of a period have passed since STATE_REQ");
}

void silent_node_is_off(WatchedJob& peer) {
  if (!peer.question()) return;
  const auto notice =
      ControlProbe::next_notice(peer.other, ControlProbe::time_of(peer.period()) + peer.run().answer_time());
  peer.require_each({&rule<"UMSP-5.7.2-13">, &rule<"UMSP-5.7-7">}, notice && notice->is(Opcode::task_terminate_info),
                    "TASK_TERMINATE_INFO", to_text(notice), "the node has not answered STATE_REQ for a period");
}

// An IUT that takes the new task as activity sends STATE_REQ again after a period, and waits for another one.
void new_task_is_no_answer(WatchedJob& peer) {
  const auto other = peer.begin_job(peer);
  if (!other || !peer.question()) return;
  if (!peer.register_task(peer.watched, *other)) return;
  const auto notice = ControlProbe::next_notice(peer.other, ControlProbe::time_of(peer.period()) * 3 / 2);
  peer.require(rule<"UMSP-5.7.2-10">, notice.has_value(), "TASK_TERMINATE_INFO", to_text(notice),
               "the node has registered another task, and has not answered STATE_REQ for a period");
}

// A job with a task on node 2; its own node 1 is watched and does not answer.
void silent_initiator_ends_job(ControlProbe& peer) {
  Party initiator(peer.run(), 1), executor(peer.run(), 2);
  if (!initiator.ok() || !executor.ok()) return;
  const auto other = peer.begin_job(peer);
  if (!other) return;
  const TaskId ltid = peer.new_ltid();
  Draft request = peer.control_req(ltid);
  request.extensions.push_back(inaction_extension(kTwoSeconds));
  const auto job = peer.begin_job(initiator, ltid, std::move(request));
  if (!job || !peer.register_task(executor, *job, 0)) return;
  if (!ControlProbe::next_question(initiator, kTwoSeconds)) return peer.inconclusive("no STATE_REQ came");
  const auto notice =
      ControlProbe::next_notice(executor, ControlProbe::time_of(kTwoSeconds) + peer.run().answer_time());
  peer.require(rule<"UMSP-5.7-6">, notice && notice->is(Opcode::job_completed_info), "JOB_COMPLETED_INFO",
               to_text(notice), "the node of the first task has not answered STATE_REQ for a period");
}

// ---------------------------------------------------------------------------------------------------- the connections
void connection_is_not_the_node(SharedJob& peer) {
  peer.first.end(Ending::closed);
  const auto notice = ControlProbe::next_notice(peer.second, peer.run().silence_time());
  peer.require_each({&rule<"UMSP-5.7-1">, &rule<"UMSP-5.7-2">}, !notice, "no notice", to_text(notice),
                    "a node has closed its connection and has not ended its task");
  if (!peer.ok()) return;
  Line again(peer.run(), {.node = 1});
  if (!again.ok()) return;
  const auto check = peer.ask(again, peer.task_chk(peer.job, peer.task_of_first.ltid, peer.job.gtid()));
  peer.require_each({&rule<"UMSP-5.7-1">, &rule<"UMSP-5.7-2">}, ControlProbe::says_yes(check), "TASK_CONFIRM",
                    to_text(check), "the node has another connection, and the same task");
}

// ------------------------------------------------------------------------------------------------------------- reloads
Draft registration_after_reload(SharedJob& peer) {
  Draft draft = peer.task_reg(peer.job, peer.new_ltid());
  draft.extensions.push_back(inaction_extension(kHalfAMinute));
  return draft;
}

void reload_ends_former_tasks(SharedJob& peer) {
  const auto again = peer.ask(peer.first, registration_after_reload(peer));
  if (!ControlProbe::says_yes(again)) return peer.inconclusive("TASK_REG with _INACTION_TIME was not confirmed");
  const auto former = peer.ask(peer.first, peer.task_chk(peer.job, peer.task_of_first.ltid, peer.job.gtid()));
  peer.require(rule<"UMSP-5.7.1-13">, !ControlProbe::says_yes(former), "TASK_REJECT", to_text(former),
               "the task existed before a TASK_REG with _INACTION_TIME");
}

void reload_is_notified(SharedJob& peer) {
  static_cast<void>(peer.ask(peer.first, registration_after_reload(peer)));
  const auto notice = ControlProbe::next_notice(peer.second);
  peer.require(rule<"UMSP-5.7.1-14">, notice.has_value(), "TASK_TERMINATE_INFO or JOB_COMPLETED_INFO", to_text(notice),
               "TASK_REG with _INACTION_TIME from a node that has a task");
}

void reload_is_notified_first(SharedJob& peer) {
  const auto again = peer.ask(peer.first, registration_after_reload(peer));
  if (!ControlProbe::says_yes(again)) return peer.inconclusive("TASK_REG with _INACTION_TIME was not confirmed");
  const auto before = peer.was_sent_before(peer.second, peer.job);
  peer.require(rule<"UMSP-5.7.1-15">, before.value_or(true), "the notice before TASK_CONFIRM",
               "the notice after an answer to an instruction that was sent after TASK_CONFIRM");
}

// A node with two tasks from before the penultimate STATE_REQ and one from between the last two. It answers the last
// STATE_REQ with NODE_RELOAD.
struct ReloadedNode : WatchedJob {
  explicit ReloadedNode(CaseRun& run) : WatchedJob(run) {
    const auto second_job = ok() ? begin_job(*this) : std::nullopt;
    const auto third_job = ok() ? begin_job(*this) : std::nullopt;
    if (!second_job || !third_job) return;
    if (const auto one = register_task(watched, *second_job)) second = *one;
    const auto asked = question();
    if (!asked) return;
    answer(TaskCondition::no_sessions, asked->number == second.ltid.number ? second : task);
    if (const auto one = register_task(watched, *third_job)) third = *one;
    const auto last = question();
    if (!last) return;
    if (last->number == third.ltid.number) skip("the IUT asks about the latest task");
    if (!ok()) return;
    older = last->number == second.ltid.number ? task : second;
    asked_at = now();
    watched.send(NodeReload{*last}.draft());
  }
  ControlledTask second, third, older;
  Instant asked_at{};
};

void asks_older_tasks_first(ReloadedNode& peer) {
  const auto asked = ControlProbe::next_question(peer.watched, 0);
  peer.require(rule<"UMSP-5.7.4-11">, asked && asked->number == peer.older.ltid.number,
               "STATE_REQ for the task that existed before the second last STATE_REQ", asked ? "another one" : "none",
               "NODE_RELOAD has answered the last STATE_REQ");
}

void waits_behind_reload(ReloadedNode& peer) {
  const Instant until = peer.asked_at + ControlProbe::time_of(peer.period()) * 3 / 4;
  while (const auto one = peer.watched.next(until)) {
    const auto asked = one->is(Opcode::state_req) ? StateReq::read(one->instruction) : std::nullopt;
    if (!asked) continue;
    peer.require(rule<"UMSP-5.7.4-12">, asked->ltid.number != peer.third.ltid.number,
                 "no STATE_REQ for a later task for a period", "one", "NODE_RELOAD has answered the last STATE_REQ");
    if (asked->ltid.number == peer.older.ltid.number) peer.answer(TaskCondition::no_sessions, peer.older);
  }
  peer.require(rule<"UMSP-5.7.4-12">, true, "", "");
}

void asks_later_tasks(ReloadedNode& peer) {
  const Instant until = peer.asked_at + ControlProbe::time_of(peer.period()) + peer.run().answer_time();
  while (const auto one = peer.watched.next(until)) {
    const auto asked = one->is(Opcode::state_req) ? StateReq::read(one->instruction) : std::nullopt;
    if (asked && asked->ltid.number == peer.third.ltid.number)
      return static_cast<void>(peer.require(rule<"UMSP-5.7.4-13">, true, "", ""));
    if (asked) peer.answer(TaskCondition::no_sessions, peer.older);
  }
  peer.require(rule<"UMSP-5.7.4-13">, false, "STATE_REQ for the task from between the last two", "none",
               "NODE_RELOAD has answered the last STATE_REQ, and a period has passed");
}

const CaseRow kRows[] = {
    {"jcp/asks-for-the-state-of-nodes",
     {&rule<"UMSP-5.7-5">, &rule<"UMSP-5.7.2-1">, &rule<"UMSP-5.7.2-8">},
     "The IUT sends STATE_REQ, with a registered LTID, to a node that is silent for its period.",
     with<asks_for_state>()},
    {"jcp/active-task-is-not-reported-as-ended",
     {&rule<"UMSP-5.5.2-3">},
     "The IUT keeps a task that has answered STATE_REQ.",
     with<active_task_is_no_ended_one>()},
    {"jcp/looks-at-no-reserved-octets",
     {&rule<"UMSP-5.7.3-15">},
     "The IUT accepts TASK_STATE whatever its reserved octets.",
     with<looks_at_no_reserved_octets>()},
    {"jcp/waits-a-period-for-an-answer",
     {&rule<"UMSP-5.7.2-12">},
     "The IUT gives a node one period to answer STATE_REQ.",
     with<waits_one_period>()},
    {"jcp/silent-node-is-off",
     {&rule<"UMSP-5.7.2-13">, &rule<"UMSP-5.7-7">},
     "The IUT ends the tasks of a node that does not answer.",
     with<silent_node_is_off>()},
    {"jcp/new-task-is-no-answer",
     {&rule<"UMSP-5.7.2-10">},
     "The IUT does not accept a task that begins after STATE_REQ as an answer to it.",
     with<new_task_is_no_answer>()},
    {"jcp/silent-initiator-ends-its-job",
     {&rule<"UMSP-5.7-6">},
     "The IUT ends the job of a node that does not answer.",
     with<silent_initiator_ends_job>()},
    {"jcp/connection-is-not-the-node",
     {&rule<"UMSP-5.7-1">, &rule<"UMSP-5.7-2">},
     "The IUT keeps the task of a node without a connection.",
     with<connection_is_not_the_node>()},
    {"jcp/reload-ends-former-tasks",
     {&rule<"UMSP-5.7.1-13">},
     "The IUT ends a node's earlier tasks after TASK_REG with _INACTION_TIME.",
     with<reload_ends_former_tasks>()},
    {"jcp/reload-is-notified",
     {&rule<"UMSP-5.7.1-14">},
     "The IUT notifies the other nodes of the tasks and jobs that a reload has ended.",
     with<reload_is_notified>()},
    {"jcp/reload-is-notified-first",
     {&rule<"UMSP-5.7.1-15">},
     "The IUT sends the notices of a reload before TASK_CONFIRM.",
     with<reload_is_notified_first>()},
    {"jcp/asks-older-tasks-after-node-reload",
     {&rule<"UMSP-5.7.4-11">},
     "The IUT asks about the node's older tasks at once after NODE_RELOAD.",
     with<asks_older_tasks_first>()},
    {"jcp/waits-after-node-reload",
     {&rule<"UMSP-5.7.4-12">},
     "The IUT does not ask about the node's later tasks for a period after NODE_RELOAD.",
     with<waits_behind_reload>()},
    {"jcp/asks-later-tasks-after-node-reload",
     {&rule<"UMSP-5.7.4-13">},
     "The IUT asks about the node's later tasks a period after NODE_RELOAD.",
     with<asks_later_tasks>()},
};

}  // namespace

std::vector<Case> control_activity_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
