// SPDX-License-Identifier: Apache-2.0
// The tables of a Job Control Point, and the calls of its own node.
#include "reference/umsp/node/control_point.h"

#include <algorithm>
#include <utility>

namespace wirelaw::umsp {
namespace {

// The greatest CTID that a local address of this JCP has room for.
std::uint64_t greatest_ctid(const NodeFormat& format) {
  const std::size_t octets = format.memory_octets();
  return octets >= 8 ? UINT64_MAX : (std::uint64_t{1} << 8 * octets) - 1;
}

}  // namespace

ControlPoint::ControlPoint(const ControlOptions& options, Outbox& outbox, FormerControl former, Instant now)
    : options_(options),
      outbox_(outbox),
      former_(former),
      former_until_(now + std::chrono::seconds(former.longest_inaction)),  // twice the period, which is in half seconds
      now_(now),
      next_ctid_(options.first_ctid) {}

void ControlPoint::receive(NodeAddress from, LinkId on, const Instruction& instruction, Instant now) {
  now_ = now;
  if (is_own(from)) return;
  noted(from, now);
  if (!takes(from, on, instruction)) return;
  const auto take = [&](auto&& notice, auto step) {
    if (notice) (this->*step)(from, *notice);
  };
  switch (static_cast<Opcode>(instruction.opcode())) {
    case Opcode::control_req:
      return on_control_req(from, on, instruction);
    case Opcode::task_reg_2:
    case Opcode::task_reg_4:
    case Opcode::task_reg_8:
      return on_task_reg(from, on, instruction);
    case Opcode::task_chk:
      return on_task_chk(from, on, instruction);
    case Opcode::task_terminate:
      return take(TaskTerminate::read(instruction), &ControlPoint::on_task_terminate);
    case Opcode::job_completed:
      return take(JobCompleted::read(instruction), &ControlPoint::on_job_completed);
    case Opcode::task_state:
      return take(TaskState::read(instruction), &ControlPoint::on_task_state);
    case Opcode::node_reload:
      return take(NodeReload::read(instruction), &ControlPoint::on_node_reload);
    default:
      return;
  }
}

void ControlPoint::send(NodeAddress to, Draft draft, std::optional<LinkId> on) {
  noted(to, now_);
  outbox_.send(to, std::move(draft), on);
}

// ------------------------------------------------------------------------------------------------------------- tables

const ControlPoint::Job* ControlPoint::job_of(std::uint64_t ctid) const {
  const auto found = jobs_.find(ctid);
  return found == jobs_.end() ? nullptr : &found->second;
}

ControlPoint::Job* ControlPoint::find_job(const Identifier& gjid) {
  const auto found = jobs_.find(gjid.task);
  return found == jobs_.end() || found->second.gjid != gjid ? nullptr : &found->second;
}

const ControlPoint::Task* ControlPoint::find_on(const Job& job, NodeAddress node) const {
  for (const std::uint64_t ctid : job.tasks)
    if (const Task& task = tasks_.at(ctid); task.node == node) return &task;
  return nullptr;
}

bool ControlPoint::has_room(NodeAddress node) const {
  return tasks_.size() < options_.tasks && (is_own(node) || nodes_.contains(node) || nodes_.size() < options_.nodes);
}

// Before a restart, the JCP may have ended without notices: its GJIDs may still be in use (5.7).
bool ControlPoint::is_kept_apart(std::uint64_t ctid) const {
  return now_ < former_until_ && ctid >= former_.first_ctid && ctid <= former_.last_ctid;
}

std::optional<std::uint64_t> ControlPoint::new_ctid() {
  const std::uint64_t greatest = greatest_ctid(options_.format);
  // At least one candidate in this number is free, unless none is; those kept apart are skipped at once.
  for (std::size_t tried = 0; tried < tasks_.size() + 3; ++tried) {
    std::uint64_t candidate = next_ctid_;
    if (candidate == 0 || candidate > greatest) candidate = 1;
    const bool apart = is_kept_apart(candidate);
    next_ctid_ = (apart ? former_.last_ctid : candidate) + 1;
    if (apart || tasks_.contains(candidate)) continue;
    const bool first = !assigned_.assigned_any();
    assigned_.first_ctid = first ? candidate : std::min(assigned_.first_ctid, candidate);
    assigned_.last_ctid = first ? candidate : std::max(assigned_.last_ctid, candidate);
    return candidate;
  }
  return std::nullopt;
}

tl::expected<Identifier, Codes> ControlPoint::add_job(NodeAddress initiator, const TaskId& ltid, std::string_view name,
                                                      std::uint16_t life_time) {
  if (jobs_.size() >= options_.jobs || !has_room(initiator)) return tl::unexpected(codes_of(JobCode::no_room));
  const auto ctid = new_ctid();
  if (!ctid) return tl::unexpected(codes_of(JobCode::no_room));
  const Identifier gjid = gjid_of(*ctid);
  jobs_[*ctid] = {.gjid = gjid, .name = std::string(name), .initiator = initiator, .ends = end_of_life(life_time)};
  add_task({.ctid = *ctid, .job = *ctid, .node = initiator, .ltid = ltid});
  return gjid;
}

void ControlPoint::add_task(Task task) {
  task.begun = ++order_;
  jobs_.at(task.job).tasks.insert(task.ctid);
  if (!is_own(task.node)) {
    if (!nodes_.contains(task.node)) {
      nodes_[task.node].active = now_;
      set_period(task.node, period_for({}));
    }
    nodes_[task.node].tasks.insert(task.ctid);
  }
  tasks_[task.ctid] = std::move(task);
}

void ControlPoint::remove_task(std::uint64_t ctid) {
  const Task& task = tasks_.at(ctid);
  if (const auto job = jobs_.find(task.job); job != jobs_.end()) job->second.tasks.erase(ctid);
  if (const auto node = nodes_.find(task.node); node != nodes_.end()) {
    node->second.tasks.erase(ctid);
    if (node->second.tasks.empty()) nodes_.erase(node);
  }
  tasks_.erase(ctid);
}

void ControlPoint::set_period(NodeAddress node, std::uint16_t period) {
  nodes_[node].period = period;
  assigned_.longest_inaction = std::max(assigned_.longest_inaction, period);
}

FormerControl ControlPoint::former() const {
  if (!former_.assigned_any() || now_ >= former_until_) return assigned_;
  if (!assigned_.assigned_any()) return former_;
  return {.first_ctid = std::min(former_.first_ctid, assigned_.first_ctid),
          .last_ctid = std::max(former_.last_ctid, assigned_.last_ctid),
          .longest_inaction = std::max(former_.longest_inaction, assigned_.longest_inaction)};
}

// ------------------------------------------------------------------------------------------------------- the own node

tl::expected<Identifier, Codes> ControlPoint::begin_own_job(TaskId ltid, std::string_view name, std::uint16_t life_time,
                                                            Instant now) {
  now_ = now;
  return add_job(options_.address, ltid, name, life_time);
}

tl::expected<ControlPoint::Registration, Codes> ControlPoint::register_own_task(const Identifier& gjid,
                                                                                const Identifier& opener, TaskId ltid,
                                                                                Instant now) {
  now_ = now;
  const TaskReg request{options_.format.task_id(gjid.task), opener, ltid};
  const Job* const job = find_job(gjid);
  if (job == nullptr) return tl::unexpected(codes_of(JobCode::unknown_job));
  if (const auto codes = refuse_registration(options_.address, request)) return tl::unexpected(*codes);
  const auto ctid = new_ctid();
  if (!ctid) return tl::unexpected(codes_of(JobCode::no_room));
  return Registration{options_.format.task_id(register_task(options_.address, request, *ctid)), name_for(*job)};
}

std::optional<Codes> ControlPoint::check_own_task(const Identifier& gjid, const Identifier& opener, TaskId ltid,
                                                  Instant now) {
  now_ = now;
  if (find_job(gjid) == nullptr) return codes_of(JobCode::unknown_job);
  if (!knows_opener(gjid.task, opener)) return codes_of(JobCode::opener_unknown);
  if (find_checked(gjid.task, options_.address, ltid) == nullptr) return codes_of(JobCode::task_not_registered);
  return std::nullopt;
}

void ControlPoint::terminate_own_task(const Identifier& gjid, Codes codes, Instant now) {
  now_ = now;
  const Job* const job = find_job(gjid);
  const Task* const task = job == nullptr ? nullptr : find_on(*job, options_.address);
  if (task != nullptr) end_task(task->ctid, codes, needs_notice(codes));
}

void ControlPoint::complete_own_job(const Identifier& gjid, Codes codes, Instant now) {
  now_ = now;
  const Job* const job = find_job(gjid);
  if (job != nullptr && is_own(job->initiator)) end_job(gjid.task, codes, Cause::completed);
}

void ControlPoint::register_opened_by_jcp(const Identifier& gjid, NodeAddress node, std::optional<TaskId> ltid,
                                          bool again, Instant now) {
  now_ = now;
  Job* const job = find_job(gjid);
  if (job == nullptr || is_own(node)) return;
  const Task* const known = find_on(*job, node);
  if (known != nullptr && (!again || known->is_first())) {
    if (!known->ltid) tasks_.at(known->ctid).ltid = ltid;
    return;
  }
  if (known != nullptr) end_task(known->ctid, codes_of(JobCode::opened_again));
  const auto ctid = has_room(node) ? new_ctid() : std::nullopt;
  if (ctid) add_task({.ctid = *ctid, .job = gjid.task, .node = node, .ltid = ltid, .knows_ctid = false});
}

void ControlPoint::ended_on(const Identifier& gjid, NodeAddress node, Codes codes, Instant now) {
  now_ = now;
  const Job* const job = find_job(gjid);
  const Task* const task = job == nullptr ? nullptr : find_on(*job, node);
  if (task != nullptr && !task->is_first()) end_task(task->ctid, codes, needs_notice(codes));
}

void ControlPoint::shut_down(Instant now) {
  now_ = now;
  end_all_jobs();
  if (jobs_.empty()) assigned_ = {};
}

bool ControlPoint::next_notice(OwnNotice& out) {
  if (notices_.empty()) return false;
  out = std::move(notices_.front());
  notices_.pop_front();
  return true;
}

}  // namespace wirelaw::umsp
