// SPDX-License-Identifier: Apache-2.0
// Handles what a Job Control Point sends to the nodes of a job: answers, notices and questions (RFC 3018 5.1, 5.2, 5.5
// to 5.7).
#include <algorithm>
#include <utility>

#include "reference/umsp/node/tasks.h"

namespace wirelaw::umsp {

void Tasks::receive(NodeAddress from, LinkId on, const Instruction& instruction, Instant now) {
  noted(from, now);
  collect_notices();
  if (!takes(from, on, instruction)) return;
  switch (static_cast<Opcode>(instruction.opcode())) {
    case Opcode::control_confirm:
    case Opcode::control_reject:
      return on_control_answer(from, instruction);
    case Opcode::task_confirm:
    case Opcode::task_reject:
      return on_task_answer(from, instruction);
    case Opcode::task_terminate_info:
      if (const auto notice = TaskTerminateInfo::read(instruction)) on_task_terminate_info(from, *notice);
      return;
    case Opcode::job_completed_info:
      if (const auto notice = JobCompletedInfo::read(instruction)) on_job_completed_info(from, *notice);
      return;
    case Opcode::state_req:
      if (const auto question = StateReq::read(instruction)) on_state_req(from, on, *question);
      return;
    default:
      return;
  }
}

// -------------------------------------------------------------------------------------------------- matching requests

bool Tasks::is_answered(const Request& request, NodeAddress from, const Instruction& answer) const {
  return request.jcp == from && answer.header.ask;
}

bool Tasks::take_request(NodeAddress from, const Instruction& answer, Request::Kind kind, Request& out) {
  const auto found = requests_.find(answer.header.req_id);
  if (found == requests_.end() || (found->second.kind == Request::Kind::control) != (kind == Request::Kind::control))
    return false;
  if (!is_answered(found->second, from, answer)) return false;
  out = found->second;
  requests_.erase(found);
  return tasks_.contains(out.ltid);
}

void Tasks::on_control_answer(NodeAddress from, const Instruction& instruction) {
  const bool confirms = instruction.opcode() == static_cast<std::uint8_t>(Opcode::control_confirm);
  const auto confirm = confirms ? ControlConfirm::read(instruction) : std::nullopt;
  const auto reject = confirm ? std::nullopt : read_rejection(instruction);
  Request request;
  if ((!confirm && !reject) || !take_request(from, instruction, Request::Kind::control, request)) return;
  if (confirm)
    on_control_confirm(request, *confirm);
  else
    on_control_reject(request, *reject, inaction_of(instruction));
}

void Tasks::on_task_answer(NodeAddress from, const Instruction& instruction) {
  const bool confirms = instruction.opcode() == static_cast<std::uint8_t>(Opcode::task_confirm);
  const auto confirm = confirms ? TaskConfirm::read(instruction) : std::nullopt;
  const auto reject = confirms ? std::nullopt : TaskReject::read(instruction);
  Request request;
  if ((!confirm && !reject) || !take_request(from, instruction, Request::Kind::registration, request)) return;
  if (confirm)
    on_task_confirm(request, *confirm, instruction);
  else
    on_task_reject(request, reject->codes);
}

// ------------------------------------------------------------------------------------------------------------- answers

void Tasks::on_control_confirm(const Request& request, const ControlConfirm& answer) {
  Task& task = tasks_.at(request.ltid);
  if (jcp_of(answer.gjid) != task.jcp || find_task(answer.gjid) != nullptr)
    return on_control_reject(request, {codes_of(JobCode::wrong_gjid)}, {});
  task.gjid = answer.gjid;
  task.ctid = ctid_of(answer.gjid, answer.gjid.task);
  task.period = request.inaction;
  activate(task);
  report({.kind = TaskEvent::Kind::job_started, .gjid = task.gjid, .ltid = task.ltid, .name = task.name});
}

void Tasks::on_control_reject(const Request& request, const ControlReject& answer,
                              std::optional<std::uint16_t> inaction) {
  TaskEvent event{.kind = TaskEvent::Kind::job_refused, .ltid = request.ltid, .codes = answer.codes};
  if (answer.profile) event.profile = decode_control_profile(*answer.profile);
  event.inaction = inaction;
  remove_task(request.ltid);
  report(std::move(event));
}

void Tasks::on_task_confirm(const Request& request, const TaskConfirm& answer, const Instruction& instruction) {
  Task& task = tasks_.at(request.ltid);
  if (request.kind == Request::Kind::registration) {
    task.ctid = ctid_of(task.gjid, answer.ctid.number);
    task.name = name_of(instruction).value_or(std::string_view(task.name));
    task.period = request.inaction ? request.inaction : inaction_of(instruction);
    if (!task.active) activate(task);
    return admit_waiting(task.ltid, request.opening);
  }
  const auto waiting = waiting_.find(request.opening);
  if (waiting == waiting_.end()) return;
  remember(task, gtid_of(waiting->second.opening.opener, waiting->second.opening.opener_ltid));
  waiting_.erase(waiting);
  report({.kind = TaskEvent::Kind::admitted, .gjid = task.gjid, .ltid = task.ltid, .opening = request.opening});
}

// Sessions that waited for the same GTID, now confirmed by the JCP. Some of them may need their own check.
void Tasks::admit_waiting(std::uint64_t ltid, OpeningId sanctioned) {
  Task& task = tasks_.at(ltid);
  std::vector<OpeningId> all;
  for (const auto& [id, waiting] : waiting_)
    if (waiting.ltid == ltid) all.push_back(id);
  for (const OpeningId id : all) {
    const Opening& opening = waiting_.at(id).opening;
    if (id != sanctioned && needs_check(opening, task.jcp)) {
      check(task, id);
      continue;
    }
    remember(task, gtid_of(opening.opener, opening.opener_ltid));
    waiting_.erase(id);
    report({.kind = TaskEvent::Kind::admitted, .gjid = task.gjid, .ltid = ltid, .opening = id});
  }
}

// A SESSION_REJECT never has a code of 0, whatever the code of the reason.
bool Tasks::refuse_one(OpeningId opening, const Codes& codes) {
  const auto waiting = waiting_.find(opening);
  if (waiting == waiting_.end()) return false;
  const Identifier gjid = waiting->second.opening.gjid;
  waiting_.erase(waiting);
  report({.kind = TaskEvent::Kind::refused,
          .gjid = gjid,
          .opening = opening,
          .codes = codes.basic != 0 ? codes : codes_of(JobCode::not_accepted)});
  return true;
}

void Tasks::refuse_waiting(std::uint64_t ltid, const Codes& codes) {
  std::vector<OpeningId> all;
  for (const auto& [id, waiting] : waiting_)
    if (waiting.ltid == ltid) all.push_back(id);
  for (const OpeningId id : all) refuse_one(id, codes);
}

// The JCP may know another waiting opener.
void Tasks::on_task_reject(const Request& request, const Codes& codes) {
  refuse_one(request.opening, codes);
  const Task& task = tasks_.at(request.ltid);
  if (request.kind == Request::Kind::check || task.active) return;
  const auto next = std::ranges::find_if(waiting_, [&](const auto& one) { return one.second.ltid == request.ltid; });
  if (next == waiting_.end()) return remove_task(request.ltid);
  register_task(task, next->first);
}

void Tasks::on_no_answer(const Request& request) {
  const Codes codes = codes_of(JobCode::no_answer);
  switch (request.kind) {
    case Request::Kind::control:
      return on_control_reject(request, {codes}, {});
    case Request::Kind::check:
      refuse_one(request.opening, codes);
      return;
    case Request::Kind::registration:
      if (tasks_.at(request.ltid).active) return;
      refuse_waiting(request.ltid, codes);
      return remove_task(request.ltid);
  }
}

// ------------------------------------------------------------------------------------------------------------- notices

// The notice names no job. If no task here knows the ended one, it may concern each task with this JCP.
void Tasks::on_task_terminate_info(NodeAddress from, const TaskTerminateInfo& notice) {
  const auto node = node_of(notice.gtid);
  if (!node || *node == options_.address) return;
  const auto is_it = [&](const Identifier& peer) { return node_of(peer) == node && peer.task == notice.gtid.task; };
  const auto concerns = [&](const Task& task) {
    return task.active && task.jcp == from && task.jcp != options_.address;
  };
  bool found = false;
  for (auto& [ltid, task] : tasks_) {
    if (!concerns(task) || std::erase_if(task.peers, is_it) == 0) continue;
    found = true;
    end_node(task, notice.gtid, notice.codes);
  }
  if (found) return;
  for (const auto& [ltid, task] : tasks_)
    if (concerns(task)) end_node(task, notice.gtid, notice.codes);
}

void Tasks::on_job_completed_info(NodeAddress from, const JobCompletedInfo& notice) {
  const Task* const task = find_task(notice.gjid);
  if (task != nullptr && task->jcp == from)
    end_task(task->ltid, TaskEnd::job_completed, notice.codes.value_or(Codes{}));
}

// ----------------------------------------------------------------------------------------------------------- questions

TaskCondition Tasks::condition_of(const Task& task) const {
  if (task.has_sessions) return TaskCondition::has_sessions;
  return task.has_resources ? TaskCondition::no_sessions : TaskCondition::no_resources;
}

// A task to which the JCP has not sent a CTID is reported with 0.
void Tasks::on_state_req(NodeAddress from, LinkId on, const StateReq& question) {
  const auto answer = [&](TaskCondition condition, TaskId ctid) {
    send(from, TaskState{static_cast<std::uint8_t>(condition), ctid}.draft(), on);
  };
  const auto task = tasks_.find(question.ltid.number);
  if (task != tasks_.end() && task->second.jcp == from)
    return answer(condition_of(task->second), task->second.ctid.value_or(ctid_of(task->second.gjid, 0)));
  const auto ended = std::ranges::find_if(
      completed_, [&](const Completed& one) { return one.jcp == from && one.ltid == question.ltid.number; });
  if (ended != completed_.end()) return answer(TaskCondition::completed, ended->ctid);
  send(from, NodeReload{question.ltid}.draft(), on);
}

}  // namespace wirelaw::umsp
