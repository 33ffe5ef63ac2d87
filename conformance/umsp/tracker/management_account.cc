// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/management_account.h"

#include <algorithm>

namespace wirelaw::umsp {
namespace {

void end(ManagedTask& task, bool is_here) {
  task.ended_elsewhere = !is_here && (!task.ended || task.ended_elsewhere);
  task.ended = true;
}

}  // namespace

const ManagedTask* ManagedNode::find_active(std::uint64_t ltid) const {
  const auto found = tasks.find(ltid);
  return found == tasks.end() || found->second.ended ? nullptr : &found->second;
}

bool ManagedNode::has_registered(std::uint64_t ctid) const {
  return std::ranges::any_of(tasks, [&](const auto& one) {
    return !one.second.ended && !one.second.gjid && one.second.ctid == ctid && one.second.first_ctid != ctid;
  });
}

bool ManagedNode::has_registered_for(std::uint64_t first_ctid) const {
  return std::ranges::any_of(tasks, [&](const auto& one) {
    return !one.second.ended && !one.second.gjid && one.second.first_ctid == first_ctid &&
           one.second.ctid != first_ctid;
  });
}

bool ManagedNode::has_task_with(std::uint64_t ctid) const {
  return std::ranges::any_of(
      tasks, [&](const auto& one) { return !one.second.ended && !one.second.gjid && one.second.ctid == ctid; });
}

std::size_t ManagedNode::active_tasks() const {
  return static_cast<std::size_t>(std::ranges::count_if(tasks, [](const auto& one) { return !one.second.ended; }));
}

bool ManagedNode::may_have_given_up(std::int64_t now_ns) const {
  constexpr std::int64_t kHalfSecond = 500'000'000;
  const std::int64_t shortest = std::max<std::int64_t>(period.value_or(1), 1) * kHalfSecond;
  return now_ns - heard_ns >= 2 * shortest;
}

void ManagedNode::keep(std::uint32_t req_id, const ManagementRequest& request) {
  if (requests.size() >= kMostManaged && !requests.contains(req_id)) {
    requests.erase(requests.begin());
    complete = false;
  }
  requests[req_id] = request;
}

void ManagedNode::keep(std::uint64_t ltid, const ManagedTask& task) {
  if (tasks.size() >= kMostManaged && !tasks.contains(ltid)) tasks.erase(tasks.begin());
  tasks[ltid] = task;
  std::erase(to_ask, ltid);
}

void ManagedNode::keep_asked(std::uint64_t ltid, std::int64_t time_ns) {
  asked_ns = asked.empty() ? time_ns : std::min(asked_ns, time_ns);
  if (asked.size() >= kMostManaged) {
    asked.erase(asked.begin());
    complete = false;
  }
  asked.push_back(ltid);
}

bool ManagedNode::has_ended(std::uint64_t ctid) const {
  const auto has_ctid = [ctid](const auto& one) { return one.second.ctid == ctid; };
  const auto found = std::ranges::find_if(tasks, has_ctid);
  return found != tasks.end() && found->second.ended && found->second.ended_by_node &&
         std::ranges::count_if(tasks, has_ctid) == 1;
}

void ManagedNode::note_end_by_node(std::uint64_t ctid, const MessageMark& end) {
  for (auto& [ltid, task] : tasks) {
    if (task.ctid != ctid || task.ended) continue;
    task.ended_by_node = true;
    task.end = end;
  }
}

void ManagedNode::note_reload(std::uint64_t named, const MessageMark& where) {
  reload = where;
  to_ask.clear();
  if (!former_question) return;
  for (const auto& [ltid, task] : tasks)
    if (!task.ended && ltid != named && task.begun_ns < former_question->time_ns && !std::ranges::count(asked, ltid))
      to_ask.push_back(ltid);
}

void ManagedNode::end_task(std::uint64_t ctid, bool is_here) {
  for (auto& [ltid, task] : tasks)
    if (task.ctid == ctid) end(task, is_here);
}

void ManagedNode::end_job(std::uint64_t first_ctid, bool is_here) {
  for (auto& [ltid, task] : tasks)
    if (task.first_ctid == first_ctid) end(task, is_here);
}

void ManagedNode::end_ltid(std::uint64_t ltid, bool is_here) {
  if (const auto task = tasks.find(ltid); task != tasks.end()) end(task->second, is_here);
}

void ManagedNode::end_all(bool is_here) {
  for (auto& [ltid, task] : tasks) end(task, is_here);
}

void ManagedNode::report_job(std::uint64_t first_ctid) {
  for (auto& [ltid, task] : tasks)
    if (task.first_ctid == first_ctid) task.job_reported = true;
}

std::size_t ManagedNode::memory() const {
  constexpr std::size_t kLinks = 4 * sizeof(void*);  // links of a map node
  return requests.size() * (sizeof(ManagementRequest) + kMostJobName + kLinks) +
         tasks.size() * (sizeof(ManagedTask) + kLinks) + (asked.capacity() + to_ask.capacity()) * sizeof(std::uint64_t);
}

}  // namespace wirelaw::umsp
