// SPDX-License-Identifier: Apache-2.0
// The tasks of a node: the calls of its application and its sessions, and the end of tasks.
#include "reference/umsp/node/tasks.h"

#include <algorithm>
#include <utility>

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kLongestName = 254;  // 8.3

std::uint64_t greatest_ltid(const NodeFormat& format) {
  const std::size_t octets = format.memory_octets();
  return octets >= 8 ? UINT64_MAX : (std::uint64_t{1} << 8 * octets) - 1;
}

}  // namespace

Tasks::Tasks(const TaskOptions& options, Outbox& outbox, ControlPoint& own)
    : options_(options), outbox_(outbox), own_(own), next_ltid_(options.first_ltid) {}

bool Tasks::next_event(TaskEvent& out) {
  collect_notices();
  if (events_.empty()) return false;
  out = std::move(events_.front());
  events_.pop_front();
  return true;
}

// Messages from a node's JCP to the node itself.
void Tasks::collect_notices() {
  OwnNotice notice;
  while (own_.next_notice(notice)) {
    const Task* const task = find_task(notice.gjid);
    if (task == nullptr) continue;
    if (notice.ended_task)
      end_node(*task, *notice.ended_task, notice.codes);
    else
      end_task(task->ltid, TaskEnd::job_completed, notice.codes);
  }
}

// ------------------------------------------------------------------------------------------------------------- tables

std::optional<std::uint64_t> Tasks::new_ltid() {
  if (tasks_.size() >= options_.tasks) return std::nullopt;
  for (std::size_t tried = 0; tried < tasks_.size() + 2; ++tried) {
    std::uint64_t candidate = next_ltid_;
    if (candidate == 0 || candidate > greatest_ltid(options_.format)) candidate = 1;
    next_ltid_ = candidate + 1;
    if (tasks_.contains(candidate)) continue;
    std::erase_if(completed_, [&](const Completed& one) { return one.ltid == candidate; });
    return candidate;
  }
  return std::nullopt;
}

Tasks::Task* Tasks::add_task(const Identifier& gjid, NodeAddress jcp) {
  const auto ltid = new_ltid();
  if (!ltid) return nullptr;
  return &(tasks_[*ltid] = {.ltid = *ltid, .gjid = gjid, .jcp = jcp});
}

void Tasks::activate(Task& task) {
  task.active = true;
  jcps_[task.jcp] = now_;
  report({.kind = TaskEvent::Kind::task_begun, .gjid = task.gjid, .ltid = task.ltid, .name = task.name});
}

void Tasks::remove_task(std::uint64_t ltid) {
  const auto found = tasks_.find(ltid);
  if (found == tasks_.end()) return;
  const NodeAddress jcp = found->second.jcp;
  tasks_.erase(found);
  std::erase_if(requests_, [&](const auto& one) { return one.second.ltid == ltid; });
  if (std::ranges::none_of(tasks_, [&](const auto& one) { return one.second.jcp == jcp; })) jcps_.erase(jcp);
}

Tasks::Task* Tasks::find_task(const Identifier& gjid) {
  const auto found = std::ranges::find_if(
      tasks_, [&](const auto& one) { return one.second.gjid.format.addr_length != 0 && one.second.gjid == gjid; });
  return found == tasks_.end() ? nullptr : &found->second;
}

const Tasks::Task* Tasks::find(const Identifier& gjid) const {
  const auto found =
      std::ranges::find_if(tasks_, [&](const auto& one) { return one.second.active && one.second.gjid == gjid; });
  return found == tasks_.end() ? nullptr : &found->second;
}

const Tasks::Task* Tasks::find(std::uint64_t ltid) const {
  const auto found = tasks_.find(ltid);
  return found == tasks_.end() || !found->second.active ? nullptr : &found->second;
}

void Tasks::set_sessions(std::uint64_t ltid, bool any) {
  const auto found = tasks_.find(ltid);
  if (found == tasks_.end()) return;
  found->second.has_sessions = any;
  found->second.had_sessions = found->second.had_sessions || any;
}

void Tasks::set_resources(std::uint64_t ltid, bool any) {
  if (const auto found = tasks_.find(ltid); found != tasks_.end()) found->second.has_resources = any;
}

void Tasks::remember(Task& task, const Identifier& peer) {
  if (std::ranges::find(task.peers, peer) != task.peers.end()) return;
  if (task.peers.size() >= options_.peers) task.peers.erase(task.peers.begin());
  task.peers.push_back(peer);
}

void Tasks::add_peer(std::uint64_t ltid, NodeAddress node, TaskId peer_ltid) {
  if (const auto found = tasks_.find(ltid); found != tasks_.end()) remember(found->second, gtid_of(node, peer_ltid));
}

TaskId Tasks::ctid_of(const Identifier& gjid, std::uint64_t number) {
  return {number, static_cast<std::uint8_t>(field_octets(gjid.format.memory_octets()))};
}

// ---------------------------------------------------------------------------------------------------- the application

std::optional<std::uint64_t> Tasks::begin_job(NodeAddress jcp, std::uint16_t life_time, std::string_view name,
                                              std::optional<std::uint16_t> inaction, Instant now) {
  now_ = now;
  collect_notices();
  Task* const task = name.size() > kLongestName ? nullptr : add_task({}, jcp);
  if (task == nullptr) return std::nullopt;
  const std::uint64_t ltid = task->ltid;
  task->initiates = true;
  task->name = name;
  if (jcp == options_.address) {
    begin_here(*task, life_time);
    return ltid;
  }
  Draft draft = ControlReq{{.job_life_time = life_time}, options_.format.task_id(ltid)}.draft();
  if (!name.empty()) draft.extensions.push_back(text_extension(HeadCode::name, name));
  if (inaction) draft.extensions.push_back(inaction_extension(*inaction));
  request(std::move(draft), {.kind = Request::Kind::control, .jcp = jcp, .ltid = ltid, .inaction = inaction});
  return ltid;
}

void Tasks::begin_here(Task& task, std::uint16_t life_time) {
  const auto gjid = own_.begin_own_job(options_.format.task_id(task.ltid), task.name, life_time, now_);
  if (!gjid) {
    report({.kind = TaskEvent::Kind::job_refused, .ltid = task.ltid, .codes = gjid.error()});
    return remove_task(task.ltid);
  }
  task.gjid = *gjid;
  task.ctid = ctid_of(*gjid, gjid->task);
  activate(task);
  report({.kind = TaskEvent::Kind::job_started, .gjid = task.gjid, .ltid = task.ltid, .name = task.name});
}

bool Tasks::complete_job(const Identifier& gjid, Codes codes, Instant now) {
  now_ = now;
  collect_notices();
  const Task* const task = find(gjid);
  if (task == nullptr || !task->initiates) return false;
  if (task->jcp == options_.address)
    own_.complete_own_job(gjid, codes, now);
  else
    send(addressee_of_end(*task), JobCompleted{codes, completed_ctid(*task)}.draft(), {});
  end_task(task->ltid, TaskEnd::completed, codes);
  return true;
}

bool Tasks::terminate_task(const Identifier& gjid, Codes codes, Instant now) {
  now_ = now;
  collect_notices();
  const Task* const task = find(gjid);
  if (task == nullptr) return false;
  terminate(*task, codes);
  return true;
}

void Tasks::terminate(const Task& task, const Codes& codes) {
  if (task.jcp == options_.address)
    own_.terminate_own_task(task.gjid, codes, now_);
  else if (const auto ctid = terminated_ctid(task))
    send(addressee_of_end(task), TaskTerminate{codes, *ctid}.draft(), {});
  end_task(task.ltid, TaskEnd::terminated, codes);
}

// --------------------------------------------------------------------------------------------------------------- ends

TaskId Tasks::completed_ctid(const Task& task) const {
  return ctid_of(task.gjid, task.gjid.task);
}

NodeAddress Tasks::addressee_of_end(const Task& task) const {
  return task.jcp;
}

void Tasks::end_task(std::uint64_t ltid, TaskEnd end, const Codes& codes) {
  const auto found = tasks_.find(ltid);
  if (found == tasks_.end()) return;
  const Task task = found->second;
  remove_task(ltid);
  refuse_waiting(ltid, codes);
  if (task.ctid) {
    if (completed_.size() >= options_.completed && !completed_.empty()) completed_.pop_front();
    if (options_.completed != 0) completed_.push_back({task.jcp, ltid, *task.ctid});
  }
  if (!task.active) return;
  report({.kind = TaskEvent::Kind::task_ended,
          .gjid = task.gjid,
          .ltid = ltid,
          .codes = codes,
          .end = end,
          .abends = abends_sessions(end)});
}

void Tasks::end_node(const Task& task, const Identifier& gtid, const Codes& codes) {
  report({.kind = TaskEvent::Kind::node_ended, .gjid = task.gjid, .ltid = task.ltid, .codes = codes, .ended = gtid});
}

// --------------------------------------------------------------------------------------------------------------- time

void Tasks::noted(NodeAddress node, Instant now) {
  now_ = now;
  if (const auto jcp = jcps_.find(node); jcp != jcps_.end()) jcp->second = now;
}

// A JCP is silent if nothing has arrived from it for two inaction periods (5.7.2).
std::optional<Instant> Tasks::jcp_silent_at(const Task& task) const {
  const auto last = jcps_.find(task.jcp);
  const bool watched = options_.watches_jcp && task.active && task.jcp != options_.address;
  if (!watched || last == jcps_.end() || task.period.value_or(0) == 0) return std::nullopt;
  return last->second + 2 * (std::chrono::milliseconds(500) * *task.period);
}

void Tasks::advance(Instant now) {
  now_ = now;
  collect_notices();
  std::vector<Request> expired;
  std::erase_if(requests_, [&](const auto& one) {
    if (one.second.until > now) return false;
    expired.push_back(one.second);
    return true;
  });
  for (const Request& request : expired)
    if (tasks_.contains(request.ltid)) on_no_answer(request);
  std::vector<std::uint64_t> left;
  for (const auto& [ltid, task] : tasks_)
    if (const auto at = jcp_silent_at(task); at && *at <= now) left.push_back(ltid);
  for (const std::uint64_t ltid : left) end_task(ltid, TaskEnd::jcp_silent, codes_of(JobCode::jcp_silent));
}

std::optional<Instant> Tasks::deadline() const {
  std::optional<Instant> earliest;
  const auto take = [&](std::optional<Instant> at) {
    if (at && (!earliest || *at < *earliest)) earliest = at;
  };
  for (const auto& [req_id, request] : requests_) take(request.until);
  for (const auto& [ltid, task] : tasks_) take(jcp_silent_at(task));
  return earliest;
}

}  // namespace wirelaw::umsp
