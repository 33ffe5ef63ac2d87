// SPDX-License-Identifier: Apache-2.0
// Decides if a SESSION_OPEN may begin a session: with an existing task, or with a new one that the JCP allows (RFC 3018
// 5.2, 5.3.1).
#include <algorithm>
#include <utility>

#include "reference/umsp/node/tasks.h"

namespace wirelaw::umsp {
namespace {

Admission admitted(std::uint64_t ltid) {
  return {.kind = Admission::Kind::admitted, .ltid = ltid};
}
Admission refused(Codes codes) {
  return {.kind = Admission::Kind::refused, .codes = codes};
}
Admission refused(JobCode code) {
  return refused(codes_of(code));
}

}  // namespace

// --------------------------------------------------------------------------------------------------------------- steps

std::optional<NodeAddress> Tasks::jcp_of(const Identifier& gjid) const {
  return node_of(gjid);
}

// Named only in the first TASK_REG to a JCP: later, the JCP would treat the earlier tasks as those of a reloaded node
// (5.7.1).
std::optional<std::uint16_t> Tasks::named_inaction(const Task& task) const {
  for (const auto& [ltid, other] : tasks_)
    if (ltid != task.ltid && other.jcp == task.jcp) return std::nullopt;
  return options_.inaction;
}

bool Tasks::needs_check(const Opening& opening, NodeAddress jcp) const {
  return options_.checks && opening.opener != jcp;
}

// ------------------------------------------------------------------------------------------------------------ openings

Admission Tasks::admit(const Opening& opening, Instant now) {
  noted(opening.opener, now);
  collect_notices();
  const auto jcp = jcp_of(opening.gjid);
  if (!jcp) return refused(JobCode::no_jcp);
  Task* task = find_task(opening.gjid);
  if (task != nullptr && opening.again) {
    if (refuses_again(opening, *jcp)) return refused(JobCode::already_open);
    if (ends_former_task(opening, *jcp)) {
      end_task(task->ltid, TaskEnd::opened_again, codes_of(JobCode::opened_again));
      task = nullptr;
    }
  }
  if (task != nullptr) return admit_to(*task, opening);
  if (*jcp == options_.address) return admit_here(opening);
  if (!has_room(*jcp)) make_room(*jcp);
  Task* const made = has_room(*jcp) ? add_task(opening.gjid, *jcp) : nullptr;
  if (made == nullptr) return refused(JobCode::no_room);
  remember(*made, gtid_of(opening.opener, opening.opener_ltid));
  if (!needs_sanction(opening, *jcp)) {
    activate(*made);
    return admitted(made->ltid);
  }
  return wait(*made, opening, Request::Kind::registration);
}

// The task exists, or permission has been requested already.
Admission Tasks::admit_to(Task& task, const Opening& opening) {
  if (!task.active && !needs_sanction(opening, task.jcp)) {
    activate(task);
    admit_waiting(task.ltid, 0);
  }
  if (task.active && needs_check(opening, task.jcp) && task.jcp == options_.address) {
    const auto codes = own_.check_own_task(task.gjid, gtid_of(opening.opener, opening.opener_ltid),
                                           options_.format.task_id(task.ltid), now_);
    if (codes) return refused(*codes);
  } else if (!task.active || needs_check(opening, task.jcp)) {
    return wait(task, opening, Request::Kind::check);
  }
  remember(task, gtid_of(opening.opener, opening.opener_ltid));
  return admitted(task.ltid);
}

Admission Tasks::admit_here(const Opening& opening) {
  if (tasks_.size() >= options_.tasks) make_room(options_.address);
  Task* const task = add_task(opening.gjid, options_.address);
  if (task == nullptr) return refused(JobCode::no_room);
  const Identifier gtid = gtid_of(opening.opener, opening.opener_ltid);
  auto registered = own_.register_own_task(opening.gjid, gtid, options_.format.task_id(task->ltid), now_);
  if (!registered) {
    remove_task(task->ltid);
    return refused(registered.error());
  }
  task->ctid = registered->ctid;
  task->name = std::move(registered->name);
  remember(*task, gtid);
  activate(*task);
  return admitted(task->ltid);
}

Admission Tasks::wait(Task& task, const Opening& opening, Request::Kind kind) {
  if (waiting_.size() >= options_.openings) {
    if (kind == Request::Kind::registration) remove_task(task.ltid);
    return refused(JobCode::no_room);
  }
  const OpeningId id = next_opening_++;
  waiting_[id] = {task.ltid, opening};
  if (kind == Request::Kind::registration)
    register_task(task, id);
  else if (task.active)
    check(task, id);
  if (kind == Request::Kind::registration && begins_unsanctioned()) {
    activate(task);
    admit_waiting(task.ltid, id);
    return admitted(task.ltid);
  }
  return {.kind = Admission::Kind::waiting, .ltid = task.ltid, .opening = id};
}

void Tasks::withdraw(OpeningId opening) {
  waiting_.erase(opening);
}

// The JCP has opened the session without a request to itself, and counts the task from the moment when the session is
// open (5.3.1).
void Tasks::opening_failed(std::uint64_t ltid) {
  const auto found = tasks_.find(ltid);
  if (found == tasks_.end()) return;
  const Task& task = found->second;
  const bool is_known = task.initiates || task.ctid || task.had_sessions || task.jcp == options_.address;
  if (!is_known && !is_waited_for(ltid)) end_task(ltid, TaskEnd::not_opened, {});
}

bool Tasks::is_waited_for(std::uint64_t ltid) const {
  const auto is_for_it = [ltid](const auto& one) { return one.second.ltid == ltid; };
  return std::ranges::any_of(waiting_, is_for_it) || std::ranges::any_of(requests_, is_for_it);
}

// A JCP may use at most half of the room for tasks of others, so that it excludes nobody.
bool Tasks::has_room(NodeAddress jcp) const {
  if (tasks_.size() >= options_.tasks) return false;
  const std::size_t half = (options_.tasks + 1) / 2;
  if (tasks_.size() < half) return true;
  return std::ranges::count_if(tasks_, [jcp](const auto& one) { return one.second.jcp == jcp; }) <
         static_cast<std::ptrdiff_t>(half);
}

// If a job's JCP disappears without a notice, nothing reports that the job is over.
void Tasks::make_room(NodeAddress jcp) {
  const bool is_full = tasks_.size() >= options_.tasks;
  const auto is_idle = [&](const auto& one) {
    const Task& task = one.second;
    return task.active && !task.initiates && task.had_sessions && !task.has_sessions && !is_waited_for(task.ltid) &&
           (is_full || task.jcp == jcp);
  };
  const auto idle = std::ranges::find_if(tasks_, is_idle);  // LTIDs are given in ascending order
  if (idle == tasks_.end()) return;
  const Task task = idle->second;
  terminate(task, codes_of(JobCode::no_room));
}

// ------------------------------------------------------------------------------------------------------------ requests

void Tasks::request(Draft draft, Request request) {
  const std::uint32_t req_id = outbox_.new_request();
  draft.req_id = req_id;
  request.until = now_ + timeout();
  requests_[req_id] = request;
  send(request.jcp, std::move(draft), {});
}

void Tasks::register_task(const Task& task, OpeningId waiting) {
  const Opening& opening = waiting_.at(waiting).opening;
  const TaskReg registration{ctid_of(task.gjid, registered_ctid(task)), registered_gtid(opening),
                             options_.format.task_id(task.ltid)};
  Draft draft = registration.draft();
  const auto inaction = named_inaction(task);
  if (inaction) draft.extensions.push_back(inaction_extension(*inaction));
  request(std::move(draft), {.kind = Request::Kind::registration,
                             .jcp = addressee_of_registration(task, opening),
                             .ltid = task.ltid,
                             .opening = waiting,
                             .inaction = inaction});
}

void Tasks::check(const Task& task, OpeningId waiting) {
  const Opening& opening = waiting_.at(waiting).opening;
  const TaskReg registration{ctid_of(task.gjid, registered_ctid(task)), registered_gtid(opening),
                             options_.format.task_id(task.ltid)};
  request(registration.draft(true), {.kind = Request::Kind::check,
                                     .jcp = addressee_of_registration(task, opening),
                                     .ltid = task.ltid,
                                     .opening = waiting});
}

}  // namespace wirelaw::umsp
