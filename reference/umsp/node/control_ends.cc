// SPDX-License-Identifier: Apache-2.0
// The end of tasks and jobs at a Job Control Point, and the nodes that it notifies (RFC 3018 5.5, 5.6).
#include <algorithm>
#include <utility>

#include "reference/umsp/node/control_point.h"

namespace wirelaw::umsp {

std::vector<NodeAddress> ControlPoint::nodes_of(const Job& job, std::optional<NodeAddress> without) const {
  std::set<NodeAddress> nodes;
  for (const std::uint64_t ctid : job.tasks) nodes.insert(tasks_.at(ctid).node);
  if (without) nodes.erase(*without);
  return {nodes.begin(), nodes.end()};
}

// If a task's LTID is unknown, its GTID names the node, with a 0 for the LTID.
Identifier ControlPoint::gtid_of_ended(const Task& task) const {
  const TaskId ltid = task.ltid.value_or(TaskId{});
  return is_own(task.node) ? identifier_of(options_.format, task.node, ltid.number) : gtid_of(task.node, ltid);
}

void ControlPoint::notify(NodeAddress to, const TaskTerminateInfo& notice, const Job& job) {
  if (!is_own(to)) return send(to, notice.draft(), {});
  notices_.push_back({.gjid = job.gjid, .codes = notice.codes, .ended_task = notice.gtid});
}

void ControlPoint::notify(NodeAddress to, const JobCompletedInfo& notice) {
  if (!is_own(to)) return send(to, notice.draft(), {});
  notices_.push_back({.gjid = notice.gjid, .codes = notice.codes.value_or(Codes{})});
}

void ControlPoint::notify_task_end(const Task& task, const Codes& codes) {
  const Job* const job = job_of(task.job);
  if (job == nullptr) return;
  for (const NodeAddress node : nodes_of(*job, task.node)) notify(node, {codes, gtid_of_ended(task)}, *job);
}

// Does not notify the node that has completed the job, or one that is gone. If the JCP ends the job, the node that
// began it is notified first (5.6.2).
void ControlPoint::notify_job_end(const Job& job, const Codes& codes, Cause cause) {
  if (cause == Cause::by_jcp) notify(job.initiator, {codes, job.gjid});
  for (const NodeAddress node : nodes_of(job, job.initiator)) notify(node, {codes, job.gjid});
}

void ControlPoint::end_job(std::uint64_t ctid, const Codes& codes, Cause cause) {
  const auto found = jobs_.find(ctid);
  if (found == jobs_.end()) return;
  notify_job_end(found->second, codes, cause);
  for (const std::uint64_t task : std::set(found->second.tasks)) remove_task(task);
  jobs_.erase(found);
}

void ControlPoint::end_task(std::uint64_t ctid, const Codes& codes, bool notify) {
  const auto found = tasks_.find(ctid);
  if (found == tasks_.end()) return;
  const Task task = found->second;
  if (task.is_first()) return end_job(ctid, codes, Cause::initiator_gone);
  remove_task(ctid);
  if (notify) notify_task_end(task, codes);
}

void ControlPoint::end_tasks_on(NodeAddress address, const Codes& codes) {
  const auto node = nodes_.find(address);
  if (node == nodes_.end()) return;
  for (const std::uint64_t ctid : std::set(node->second.tasks)) end_task(ctid, codes);
}

void ControlPoint::on_task_terminate(NodeAddress from, const TaskTerminate& notice) {
  const auto task = tasks_.find(notice.ctid.number);
  if (task != tasks_.end() && task->second.node == from)
    end_task(notice.ctid.number, notice.codes, needs_notice(notice.codes));
}

void ControlPoint::on_job_completed(NodeAddress from, const JobCompleted& notice) {
  const Job* const job = job_of(notice.ctid.number);
  if (job != nullptr && job->initiator == from) end_job(notice.ctid.number, notice.codes, Cause::completed);
}

}  // namespace wirelaw::umsp
