// SPDX-License-Identifier: Apache-2.0
// Deviations in what a control point accepts, and in its answers.
#include "reference/umsp/node/faults/faulty_control_point.h"

#include <algorithm>

#include "reference/umsp/node/faults/make_jobs.h"
#include "reference/umsp/node/faults/untaken.h"

namespace wirelaw::umsp {

using enum JobDeviation;

namespace {

constexpr Untaken kUntaken[] = {
    {control_req_unanswered, Opcode::control_req, Opcode::control_req},
    {control_req_with_extension_ignored, Opcode::control_req, Opcode::control_req, Having::an_extension},
    {control_req_with_name_ignored, Opcode::control_req, Opcode::control_req, Having::this_extension},
    {control_req_with_inaction_ignored, Opcode::control_req, Opcode::control_req, Having::this_extension,
     HeadCode::inaction_time},
    {task_reg_unanswered, Opcode::task_reg_2, Opcode::task_reg_8},
    {task_reg_with_extension_ignored, Opcode::task_reg_2, Opcode::task_reg_8, Having::an_extension},
    {check_with_extension_ignored, Opcode::task_chk, Opcode::task_chk, Having::an_extension},
    {terminate_with_extension_ignored, Opcode::task_terminate, Opcode::task_terminate, Having::an_extension},
    {completed_with_extension_ignored, Opcode::job_completed, Opcode::job_completed, Having::an_extension},
};

bool is_registration(std::uint8_t opcode) {
  return opcode >= static_cast<std::uint8_t>(Opcode::task_reg_2) &&
         opcode <= static_cast<std::uint8_t>(Opcode::task_reg_8);
}

bool is(std::uint8_t opcode, Opcode code) {
  return opcode == static_cast<std::uint8_t>(code);
}

// The reserved octets of TASK_STATE (5.7.3).
bool has_reserved_octets(Octets operands) {
  if (operands.size() < 4) return false;
  const Octets reserved = operands.subspan(1, operands.size() == 4 ? 1 : 3);
  return std::ranges::any_of(reserved, [](Octet octet) { return octet != 0; });
}

}  // namespace

std::unique_ptr<ControlPoint> make_control_point(const ControlOptions& options, Outbox& outbox,
                                                 const JobDeviations& deviations, FormerControl former, Instant now) {
  const JobDeviations own = deviations.of(JobRole::control);
  if (own.empty()) return std::make_unique<ControlPoint>(options, outbox, former, now);
  return std::make_unique<FaultyControlPoint>(options, outbox, own, former, now);
}

bool FaultyControlPoint::takes(NodeAddress from, LinkId on, const Instruction& instruction) {
  opcode_ = instruction.opcode();
  refuses_next_ = false;
  if (is_untaken(kUntaken, deviations_, instruction)) return false;
  if (deviates(reserved_state_checked) && is(opcode_, Opcode::task_state) && has_reserved_octets(instruction.operands))
    return false;
  if (deviates(new_task_stops_check) && is_registration(opcode_)) forget_questions(from);
  return ControlPoint::takes(from, on, instruction);
}

// ----------------------------------------------------------------------------------------------------------- sending

bool FaultyControlPoint::holds(const Draft& draft, Opcode& until) const {
  until = draft.is(Opcode::job_completed_info) ? Opcode::control_confirm : Opcode::task_confirm;
  if (draft.is(Opcode::job_completed_info)) return ends_former_job_ && deviates(job_notice_behind_confirm);
  return draft.is(Opcode::task_terminate_info) &&
         (deviates(task_notice_held) || (ends_former_tasks_ && deviates(task_notice_behind_confirm)));
}

void FaultyControlPoint::flush(const Draft& draft) {
  std::vector<Held> left;
  for (Held& one : std::exchange(held_, {})) {
    if (one.due) {
      ControlPoint::send(one.to, std::move(one.draft), {});
      continue;
    }
    one.due = draft.is(one.until);
    left.push_back(std::move(one));
  }
  held_ = std::move(left);
}

void FaultyControlPoint::send(NodeAddress to, Draft draft, std::optional<LinkId> on) {
  constexpr std::uint64_t kNoLtid = 0xdead;
  const auto replace = [&](Draft other) {
    other.req_id = draft.req_id;
    draft = std::move(other);
  };
  if (deviates(unknown_job_confirmed) && draft.is(Opcode::task_reject) &&
      draft.operands == TaskReject{codes_of(JobCode::unknown_job)}.draft().operands)
    replace(TaskConfirm{options().format.task_id(1)}.draft());
  if (deviates(asks_other_ltid) && draft.is(Opcode::state_req)) replace(StateReq{{kNoLtid, 4}}.draft());
  if (Opcode until{}; holds(draft, until)) {
    held_.push_back({to, std::move(draft), until});
    return;
  }
  ControlPoint::send(to, draft, on);
  flush(draft);
}

// --------------------------------------------------------------------------------------------------------- CONTROL_REQ

std::optional<ControlReject> FaultyControlPoint::refuse_job(const ControlReq& request) const {
  const bool refused = refuses_next_ || (deviates(cmt_refused) && request.profile.cmt);
  return refused ? ControlReject{codes_of(JobCode::not_accepted)} : ControlPoint::refuse_job(request);
}

bool FaultyControlPoint::fits(std::uint16_t period) const {
  if (deviates(task_reg_with_inaction_refused) && is_registration(opcode_)) return false;
  return ControlPoint::fits(period);
}

std::optional<std::uint64_t> FaultyControlPoint::find_active_job(NodeAddress from, const TaskId& ltid) const {
  if (deviates(former_job_overlooked)) return std::nullopt;
  if (!deviates(other_job_ended)) return ControlPoint::find_active_job(from, ltid);
  for (const auto& [ctid, job] : all_jobs())
    if (job.initiator == from) return ctid;
  return std::nullopt;
}

void FaultyControlPoint::end_former_job(std::uint64_t job) {
  ends_former_job_ = true;
  silent_ = deviates(former_job_not_notified);
  ControlPoint::end_former_job(job);
  ends_former_job_ = silent_ = false;
  refuses_next_ = deviates(repeated_job_refused);
}

std::optional<Instant> FaultyControlPoint::end_of_life(std::uint16_t life_time) const {
  if (deviates(life_time_ignored)) return std::nullopt;
  if (deviates(no_life_time_is_short) && life_time == 0) return now() + std::chrono::seconds(1);
  return ControlPoint::end_of_life(life_time);
}

Identifier FaultyControlPoint::gjid_of(std::uint64_t ctid) const {
  if (!deviates(gjid_of_other_node)) return ControlPoint::gjid_of(ctid);
  return identifier_of(options().format, other_than(options().address), ctid);
}

bool FaultyControlPoint::is_kept_apart(std::uint64_t ctid) const {
  return !deviates(old_gjid_again) && ControlPoint::is_kept_apart(ctid);
}

// -------------------------------------------------------------------------------------------------- TASK_REG, TASK_CHK

void FaultyControlPoint::end_former_tasks(NodeAddress from) {
  if (deviates(former_tasks_overlooked)) return;
  ends_former_tasks_ = true;
  silent_ = deviates(former_tasks_not_notified);
  ControlPoint::end_former_tasks(from);
  ends_former_tasks_ = silent_ = false;
}

bool FaultyControlPoint::knows_opener(std::uint64_t job, const Identifier& gtid) const {
  if (deviates(unknown_opener_confirmed) && is_registration(opcode_)) return true;
  if (deviates(unknown_check_confirmed) && is(opcode_, Opcode::task_chk)) return true;
  return ControlPoint::knows_opener(job, gtid);
}

bool FaultyControlPoint::knows_task(NodeAddress node, const TaskId& ltid) const {
  if (deviates(registration_refused)) return true;
  if (deviates(known_ltid_confirmed)) return false;
  return ended_.contains({node, ltid.number}) || ControlPoint::knows_task(node, ltid);
}

const ControlPoint::Task* FaultyControlPoint::find_checked(std::uint64_t job, NodeAddress node,
                                                           const TaskId& ltid) const {
  if (deviates(check_refused)) return nullptr;
  const Task* const task = ControlPoint::find_checked(job, node, ltid);
  const bool invents = task == nullptr && deviates(unknown_check_confirmed) && !all_tasks().empty();
  return invents ? &all_tasks().begin()->second : task;
}

std::string FaultyControlPoint::name_for(const Job& job) const {
  return ControlPoint::name_for(job) + (deviates(job_name_changes) ? "2" : "");
}

std::uint16_t FaultyControlPoint::period_for(std::optional<std::uint16_t> named) const {
  return !named && deviates(no_period_set) ? std::uint16_t{0} : ControlPoint::period_for(named);
}

}  // namespace wirelaw::umsp
