// SPDX-License-Identifier: Apache-2.0
// Deviations in the notices of a control point, and in watching nodes.
#include "reference/umsp/node/faults/faulty_control_point.h"

namespace wirelaw::umsp {

using enum JobDeviation;

namespace {

Codes changed(Codes codes) {
  ++codes.basic;
  return codes;
}

}  // namespace

// ------------------------------------------------------------------------------------------------------------- notices

std::vector<NodeAddress> FaultyControlPoint::nodes_of(const Job& job, std::optional<NodeAddress> without) const {
  std::vector<NodeAddress> nodes = ControlPoint::nodes_of(job, without);
  if (!nodes.empty() && deviates(on_task_ ? one_node_without_task_notice : one_node_without_job_notice))
    nodes.pop_back();
  return nodes;
}

bool FaultyControlPoint::needs_notice(const Codes& codes) const {
  return !deviates(terminate_not_notified) && ControlPoint::needs_notice(codes);
}

Identifier FaultyControlPoint::gtid_of_ended(const Task& task) const {
  if (!deviates(task_notice_with_ctid)) return ControlPoint::gtid_of_ended(task);
  return gtid_of(task.node, options().format.task_id(task.ctid));
}

void FaultyControlPoint::notify_task_end(const Task& task, const Codes& codes) {
  if (silent_ || deviates(task_end_not_notified)) return;
  const Codes sent = deviates(task_notice_codes_changed) ? changed(codes) : codes;
  on_task_ = true;
  ControlPoint::notify_task_end(task, sent);
  on_task_ = false;
  const Job* const job = job_of(task.job);
  if (deviates(ended_node_notified) && job != nullptr) notify(task.node, {sent, gtid_of_ended(task)}, *job);
}

void FaultyControlPoint::notify_job_end(const Job& job, const Codes& codes, Cause cause) {
  if (silent_ || (cause == Cause::completed && deviates(job_end_not_notified))) return;
  const Codes sent = deviates(job_notice_codes_changed) ? changed(codes) : codes;
  if (cause != Cause::by_jcp || !deviates(initiator_notified_last))
    return ControlPoint::notify_job_end(job, sent, cause);
  ControlPoint::notify_job_end(job, sent, Cause::completed);
  held_.push_back({job.initiator, JobCompletedInfo{sent, job.gjid}.draft(), Opcode::job_completed_info, true});
}

bool FaultyControlPoint::is_padded(const TaskId& ctid) const {
  return deviates(padded_ctid_unknown) && ctid.octets > options().format.memory_octets();
}

void FaultyControlPoint::on_task_terminate(NodeAddress from, const TaskTerminate& notice) {
  if (is_padded(notice.ctid)) return;
  const auto task = all_tasks().find(notice.ctid.number);
  if (task != all_tasks().end() && task->second.node == from && task->second.ltid) {
    if (deviates(ltid_never_again)) ended_.insert({from, task->second.ltid->number});
    if (deviates(job_notice_without_end) && !task->second.is_first())
      notify_job_end(*job_of(task->second.job), notice.codes, Cause::by_jcp);
  }
  ControlPoint::on_task_terminate(from, notice);
}

void FaultyControlPoint::on_job_completed(NodeAddress from, const JobCompleted& notice) {
  if (!is_padded(notice.ctid)) ControlPoint::on_job_completed(from, notice);
}

void FaultyControlPoint::on_life_over(std::uint64_t job) {
  silent_ = deviates(life_end_silent);
  ControlPoint::on_life_over(job);
  silent_ = false;
}

void FaultyControlPoint::end_all_jobs() {
  silent_ = deviates(shut_down_silent);
  ControlPoint::end_all_jobs();
  silent_ = false;
}

// ------------------------------------------------------------------------------------------------------------ activity

void FaultyControlPoint::unlinked(NodeAddress node, Instant now) {
  ControlPoint::unlinked(node, now);
  if (deviates(unlinked_node_given_up)) end_tasks_on(node, codes_of(JobCode::node_silent));
}

std::optional<Instant> FaultyControlPoint::question_due(const Node& node) const {
  if (deviates(nodes_not_watched)) return std::nullopt;
  return ControlPoint::question_due(node);
}

Instant FaultyControlPoint::answer_due(const Node& node, Instant asked) const {
  const Instant due = ControlPoint::answer_due(node, asked);
  return deviates(gives_up_early) ? asked + (due - asked) / 2 : due;
}

void FaultyControlPoint::on_no_answer(NodeAddress address) {
  if (deviates(silence_tolerated)) return forget_questions(address);
  if (deviates(silent_initiator_ignored))
    for (const auto& [ctid, task] : all_tasks())
      if (task.node == address && task.is_first()) return forget_questions(address);
  silent_ = deviates(silent_node_not_notified);
  ControlPoint::on_no_answer(address);
  silent_ = false;
}

void FaultyControlPoint::on_task_state(NodeAddress from, const TaskState& answer) {
  ControlPoint::on_task_state(from, answer);
  const auto task = all_tasks().find(answer.ctid.number);
  if (deviates(task_notice_without_end) && task != all_tasks().end() && task->second.node == from)
    notify_task_end(task->second, codes_of(JobCode::task_completed));
}

void FaultyControlPoint::begin_reload(Node& node) {
  const Order last_but_one = node.last_but_one;
  if (deviates(older_tasks_not_asked)) node.last_but_one = 0;
  ControlPoint::begin_reload(node);
  node.last_but_one = node.reload->after = last_but_one;
  if (deviates(reload_not_waited_for)) finish_reload(node);
}

void FaultyControlPoint::finish_reload(Node& node) {
  if (deviates(later_tasks_not_asked))
    node.reload.reset();
  else
    ControlPoint::finish_reload(node);
}

}  // namespace wirelaw::umsp
