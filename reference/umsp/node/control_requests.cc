// SPDX-License-Identifier: Apache-2.0
// The answers of a Job Control Point: CONTROL_REQ, TASK_REG and TASK_CHK (RFC 3018 5.1, 5.2).
#include <algorithm>
#include <utility>

#include "reference/umsp/node/control_point.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kLongestName = 254;  // 8.3

// The job's name in a request; nothing if it is too long.
std::optional<std::string_view> job_name(const Instruction& instruction) {
  const std::string_view name = name_of(instruction).value_or(std::string_view{});
  if (name.size() > kLongestName) return std::nullopt;
  return name;
}

Draft rejection(JobCode code) {
  return TaskReject{codes_of(code)}.draft();
}

}  // namespace

void ControlPoint::answer(NodeAddress to, LinkId on, const Instruction& request, Draft draft) {
  draft.req_id = request.header.req_id;
  send(to, std::move(draft), on);
}

// -------------------------------------------------------------------------------------------------------- CONTROL_REQ

std::optional<ControlReject> ControlPoint::refuse_job(const ControlReq& request) const {
  const std::uint16_t asked = request.profile.job_life_time;
  const std::uint16_t most = options_.most_life_time;
  ControlReject reject;
  if (!options_.accepts_jobs) {
    reject.codes = codes_of(JobCode::not_accepted);
  } else if (request.profile.version != kVersion) {
    reject.codes = codes_of(JobCode::version_unknown);
    reject.profile = encode(ControlProfile{.job_life_time = asked});
  } else if (most != 0 && (asked == 0 || asked > most)) {
    reject.codes = codes_of(JobCode::life_time);
    reject.profile = encode(ControlProfile{.job_life_time = most});
  } else {
    return std::nullopt;
  }
  return reject;
}

std::optional<std::uint64_t> ControlPoint::find_active_job(NodeAddress from, const TaskId& ltid) const {
  const auto found = std::ranges::find_if(jobs_, [&](const auto& one) {
    const auto first = tasks_.find(one.first);
    return one.second.initiator == from && first != tasks_.end() && first->second.ltid &&
           first->second.ltid->number == ltid.number;
  });
  if (found == jobs_.end()) return std::nullopt;
  return found->first;
}

std::optional<Instant> ControlPoint::end_of_life(std::uint16_t life_time) const {
  if (life_time == 0) return std::nullopt;
  return now_ + std::chrono::seconds(life_time);
}

std::uint16_t ControlPoint::nearest_period(std::uint16_t named) const {
  return named < options_.least_inaction ? options_.least_inaction : std::min(named, options_.most_inaction);
}

void ControlPoint::on_control_req(NodeAddress from, LinkId on, const Instruction& instruction) {
  if (!instruction.header.ask) return;
  const auto request = ControlReq::read(instruction);
  const auto name = job_name(instruction);
  if (!request || !name) return answer(from, on, instruction, ControlReject{codes_of(JobCode::malformed)}.draft());
  if (const auto former = find_active_job(from, request->ltid)) end_former_job(*former);
  if (const auto reject = refuse_job(*request)) return answer(from, on, instruction, reject->draft());
  const auto period = inaction_of(instruction);
  if (period && !fits(*period)) {
    Draft draft = ControlReject{codes_of(JobCode::inaction_time)}.draft();
    draft.extensions.push_back(inaction_extension(nearest_period(*period)));
    return answer(from, on, instruction, std::move(draft));
  }
  const auto gjid = add_job(from, request->ltid, *name, request->profile.job_life_time);
  if (!gjid) return answer(from, on, instruction, ControlReject{gjid.error()}.draft());
  if (period) set_period(from, period_for(period));
  answer(from, on, instruction, ControlConfirm{*gjid}.draft());
}

// ------------------------------------------------------------------------------------------------ TASK_REG, TASK_CHK

bool ControlPoint::knows_job(std::uint64_t ctid) const {
  return jobs_.contains(ctid);
}

bool ControlPoint::knows_opener(std::uint64_t job, const Identifier& gtid) const {
  const Job* const known = job_of(job);
  const auto node = node_of(gtid);
  if (known == nullptr || !node) return false;
  return std::ranges::any_of(known->tasks, [&](std::uint64_t ctid) {
    const Task& task = tasks_.at(ctid);
    return task.node == *node && (!task.ltid || task.ltid->number == gtid.task);
  });
}

bool ControlPoint::knows_task(NodeAddress node, const TaskId& ltid) const {
  const auto is_it = [&](const Task& task) {
    return task.node == node && task.knows_ctid && task.ltid && task.ltid->number == ltid.number;
  };
  if (is_own(node)) return std::ranges::any_of(tasks_, [&](const auto& one) { return is_it(one.second); });
  const auto known = nodes_.find(node);
  return known != nodes_.end() &&
         std::ranges::any_of(known->second.tasks, [&](std::uint64_t ctid) { return is_it(tasks_.at(ctid)); });
}

const ControlPoint::Task* ControlPoint::find_checked(std::uint64_t job, NodeAddress node, const TaskId& ltid) const {
  const Job* const known = job_of(job);
  const Task* const task = known == nullptr ? nullptr : find_on(*known, node);
  return task != nullptr && task->ltid && task->ltid->number == ltid.number ? task : nullptr;
}

std::optional<Codes> ControlPoint::refuse_registration(NodeAddress from, const TaskReg& request) const {
  if (!knows_job(request.ctid.number)) return codes_of(JobCode::unknown_job);
  if (!knows_opener(request.ctid.number, request.gtid)) return codes_of(JobCode::opener_unknown);
  if (knows_task(from, request.ltid)) return codes_of(JobCode::task_registered);
  if (!jobs_.contains(request.ctid.number) || !has_room(from)) return codes_of(JobCode::no_room);
  return std::nullopt;
}

// Returns the CTID of the task: a task that the JCP knows only from its own session keeps its CTID.
std::uint64_t ControlPoint::register_task(NodeAddress from, const TaskReg& request, std::uint64_t ctid) {
  const Job& job = jobs_.at(request.ctid.number);
  if (const auto opener = node_of(request.gtid))
    if (const Task* const task = find_on(job, *opener); task != nullptr && !task->ltid)
      tasks_.at(task->ctid).ltid = TaskId{request.gtid.task, request.ltid.octets};
  const Task* const opened = find_on(job, from);
  if (opened == nullptr || opened->knows_ctid) {
    add_task({.ctid = ctid, .job = request.ctid.number, .node = from, .ltid = request.ltid});
    return ctid;
  }
  Task& task = tasks_.at(opened->ctid);
  task.ltid = request.ltid;
  task.knows_ctid = true;
  return task.ctid;
}

void ControlPoint::on_task_reg(NodeAddress from, LinkId on, const Instruction& instruction) {
  if (!instruction.header.ask) return;
  const auto request = TaskReg::read(instruction, 0, options_.ltid_octets);
  if (!request) return answer(from, on, instruction, rejection(JobCode::malformed));
  const auto named = inaction_of(instruction);
  if (named) end_former_tasks(from);
  if (named && !fits(*named)) {
    Draft draft = rejection(JobCode::inaction_time);
    draft.extensions.push_back(inaction_extension(nearest_period(*named)));
    return answer(from, on, instruction, std::move(draft));
  }
  auto refused = refuse_registration(from, *request);
  const auto ctid = refused ? std::nullopt : new_ctid();
  if (!refused && !ctid) refused = codes_of(JobCode::no_room);
  if (refused) return answer(from, on, instruction, TaskReject{*refused}.draft());

  const std::uint64_t task = register_task(from, *request, *ctid);
  if (named) set_period(from, period_for(named));
  Draft draft = TaskConfirm{options_.format.task_id(task)}.draft();
  if (!named) draft.extensions.push_back(inaction_extension(nodes_.at(from).period));
  if (const std::string name = name_for(jobs_.at(request->ctid.number)); !name.empty())
    draft.extensions.push_back(text_extension(HeadCode::name, name));
  answer(from, on, instruction, std::move(draft));
}

void ControlPoint::on_task_chk(NodeAddress from, LinkId on, const Instruction& instruction) {
  if (!instruction.header.ask) return;
  const auto request = TaskReg::read(instruction, options_.format.field_octets(), options_.ltid_octets);
  if (!request) return answer(from, on, instruction, rejection(JobCode::malformed));
  if (!knows_opener(request->ctid.number, request->gtid))
    return answer(from, on, instruction, rejection(JobCode::opener_unknown));
  const Task* const task = find_checked(request->ctid.number, from, request->ltid);
  if (task == nullptr) return answer(from, on, instruction, rejection(JobCode::task_not_registered));
  answer(from, on, instruction, TaskConfirm{options_.format.task_id(task->ctid)}.draft());
}

}  // namespace wirelaw::umsp
