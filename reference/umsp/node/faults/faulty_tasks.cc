// SPDX-License-Identifier: Apache-2.0
// Deviations of a node that initiates or executes jobs.
#include "reference/umsp/node/faults/faulty_tasks.h"

#include <utility>

#include "reference/umsp/node/faults/make_jobs.h"
#include "reference/umsp/node/faults/untaken.h"

namespace wirelaw::umsp {

using enum JobDeviation;

namespace {

constexpr Untaken kUntaken[] = {
    {control_confirm_with_extension_ignored, Opcode::control_confirm, Opcode::control_confirm, Having::an_extension},
    {control_reject_with_extension_ignored, Opcode::control_reject, Opcode::control_reject, Having::an_extension},
    {task_confirm_with_extension_ignored, Opcode::task_confirm, Opcode::task_confirm, Having::this_extension},
    {task_confirm_with_any_extension_ignored, Opcode::task_confirm, Opcode::task_confirm, Having::an_extension},
    {task_reject_with_extension_ignored, Opcode::task_reject, Opcode::task_reject, Having::an_extension},
    {task_notice_with_extension_ignored, Opcode::task_terminate_info, Opcode::task_terminate_info,
     Having::an_extension},
    {job_notice_with_extension_ignored, Opcode::job_completed_info, Opcode::job_completed_info, Having::an_extension},
    {state_req_unanswered, Opcode::state_req, Opcode::state_req},
};

struct OfOpcode {
  JobDeviation deviation;
  Opcode opcode;
};
constexpr OfOpcode kAnswered[] = {
    {control_confirm_answered, Opcode::control_confirm},
    {control_reject_answered, Opcode::control_reject},
    {task_confirm_answered, Opcode::task_confirm},
    {task_reject_answered, Opcode::task_reject},
};
constexpr OfOpcode kMisdirected[] = {
    {control_req_misdirected, Opcode::control_req},
    {terminate_misdirected, Opcode::task_terminate},
    {state_misdirected, Opcode::task_state},
    {reload_misdirected, Opcode::node_reload},
};
constexpr OfOpcode kLeftOut[] = {
    {terminate_not_sent, Opcode::task_terminate},
    {completion_not_sent, Opcode::job_completed},
};

bool is(const Instruction& instruction, Opcode opcode) {
  return instruction.opcode() == static_cast<std::uint8_t>(opcode);
}

}  // namespace

std::unique_ptr<Tasks> make_tasks(const TaskOptions& options, Outbox& outbox, ControlPoint& own,
                                  const JobDeviations& deviations) {
  const JobDeviations of_node = deviations.of(JobRole::node);
  if (of_node.empty()) return std::make_unique<Tasks>(options, outbox, own);
  return std::make_unique<FaultyTasks>(options, outbox, own, of_node);
}

// ----------------------------------------------------------------------------------------------- sending and receiving

bool FaultyTasks::leaves_out(const Draft& draft) const {
  for (const OfOpcode& row : kLeftOut)
    if (deviates(row.deviation) && draft.is(row.opcode)) return true;
  return false;
}

// Behaves like a registered job, with an invented GJID.
void FaultyTasks::begin_without_control(NodeAddress jcp, const Draft& draft) {
  const Identifier gjid = identifier_of(options().format, jcp, draft.operands.empty() ? 0 : draft.operands.back());
  report({.kind = TaskEvent::Kind::job_started, .gjid = gjid, .ltid = gjid.task});
}

void FaultyTasks::send(NodeAddress to, Draft draft, std::optional<LinkId> on) {
  if (leaves_out(draft)) return;
  if (deviates(job_not_registered) && draft.is(Opcode::control_req)) return begin_without_control(to, draft);
  for (const OfOpcode& row : kMisdirected)
    if (deviates(row.deviation) && draft.is(row.opcode)) to = other_than(to);
  const bool registers = draft.opcode >= static_cast<std::uint8_t>(Opcode::task_reg_2) &&
                         draft.opcode <= static_cast<std::uint8_t>(Opcode::task_reg_8);
  if (deviates(checks_new_task) && registers) draft.opcode = static_cast<std::uint8_t>(Opcode::task_chk);
  if (deviates(reload_denied) && draft.is(Opcode::node_reload))
    draft = TaskState{static_cast<std::uint8_t>(TaskCondition::no_resources), {}}.draft();
  if (deviates(node_sends_notice) && draft.is(Opcode::task_terminate))
    Tasks::send(to, TaskTerminateInfo{{1, 0}, gtid_of(options().address, {1, 4})}.draft(), on);
  Tasks::send(to, std::move(draft), on);
}

void FaultyTasks::report(TaskEvent event) {
  using Kind = TaskEvent::Kind;
  if (deviates(node_end_not_reported) && event.kind == Kind::node_ended) return;
  if (deviates(terminated_task_goes_on) && event.kind == Kind::task_ended && event.end == TaskEnd::terminated) return;
  if (deviates(gjid_altered) && event.kind == Kind::job_started) ++event.gjid.task;
  Tasks::report(std::move(event));
}

void FaultyTasks::answer_answers(NodeAddress from, LinkId on, const Instruction& instruction) {
  for (const OfOpcode& row : kAnswered) {
    if (!deviates(row.deviation) || !is(instruction, row.opcode)) continue;
    Draft draft = codes_draft(Opcode::rsp_p, {});
    draft.session_id = 0;
    draft.req_id = instruction.header.req_id;
    Tasks::send(from, std::move(draft), on);
  }
}

bool FaultyTasks::takes(NodeAddress from, LinkId on, const Instruction& instruction) {
  if (is_untaken(kUntaken, deviations_, instruction)) return false;
  answer_answers(from, on, instruction);
  if (is(instruction, Opcode::job_completed_info)) {
    const auto notice = JobCompletedInfo::read(instruction);
    if (notice && deviates(notice->codes ? job_notice_with_codes_ignored : job_notice_without_codes_ignored))
      return false;
  }
  const auto question = is(instruction, Opcode::state_req) ? StateReq::read(instruction) : std::nullopt;
  if (question && deviates(node_asks_state) && all_tasks().contains(question->ltid.number))
    Tasks::send(from, question->draft(), on);
  if (question && deviates(padded_ltid_unknown) && question->ltid.octets > options().format.memory_octets()) {
    send(from, NodeReload{question->ltid}.draft(), on);
    return false;
  }
  return Tasks::takes(from, on, instruction);
}

// ---------------------------------------------------------------------------------------------------------- admissions

bool FaultyTasks::needs_sanction(const Opening& opening, NodeAddress jcp) const {
  return deviates(jcp_needs_sanction) || Tasks::needs_sanction(opening, jcp);
}

bool FaultyTasks::refuses_again(const Opening& opening, NodeAddress jcp) const {
  return !deviates(opened_again_admitted) && Tasks::refuses_again(opening, jcp);
}

bool FaultyTasks::ends_former_task(const Opening& opening, NodeAddress jcp) const {
  return !deviates(former_task_goes_on) && Tasks::ends_former_task(opening, jcp);
}

bool FaultyTasks::begins_unsanctioned() const {
  return deviates(JobDeviation::begins_unsanctioned);
}

NodeAddress FaultyTasks::addressee_of_registration(const Task& task, const Opening& opening) const {
  if (deviates(task.active ? checks_at_opener : registers_at_opener)) return opening.opener;
  return Tasks::addressee_of_registration(task, opening);
}

std::uint64_t FaultyTasks::registered_ctid(const Task& task) const {
  return Tasks::registered_ctid(task) + (deviates(registers_other_ctid) ? 1 : 0);
}

Identifier FaultyTasks::registered_gtid(const Opening& opening) const {
  if (!deviates(registers_own_gtid)) return Tasks::registered_gtid(opening);
  return gtid_of(options().address, opening.opener_ltid);
}

std::optional<std::uint16_t> FaultyTasks::named_inaction(const Task& task) const {
  return deviates(inaction_always_named) ? options().inaction : Tasks::named_inaction(task);
}

std::chrono::nanoseconds FaultyTasks::timeout() const {
  constexpr auto kForEver = std::chrono::hours(24 * 365 * 10);
  return deviates(waits_for_ever) ? kForEver : Tasks::timeout();
}

// ----------------------------------------------------------------------------------------------- answers and questions

std::optional<ControlReject> FaultyTasks::read_rejection(const Instruction& instruction) const {
  const bool proper = is(instruction, Opcode::control_reject);
  if (deviates(proper ? control_reject_5_ignored : control_reject_4_ignored)) return std::nullopt;
  return Tasks::read_rejection(instruction);
}

void FaultyTasks::on_control_confirm(const Request& request, const ControlConfirm& answer) {
  constexpr std::uint32_t kReqId = 0x7fff'0000;
  Tasks::on_control_confirm(request, answer);
  if (!deviates(first_task_registered)) return;
  const TaskId ltid = options().format.task_id(request.ltid);
  Draft draft = TaskReg{ctid_of(answer.gjid, answer.gjid.task), gtid_of(options().address, ltid), ltid}.draft();
  draft.req_id = kReqId;
  send(request.jcp, std::move(draft), {});
}

void FaultyTasks::on_task_reject(const Request& request, const Codes& codes) {
  if (deviates(rejected_task_begins) && request.kind == Request::Kind::registration)
    return on_task_confirm(request, TaskConfirm{options().format.task_id(1)}, Instruction{});
  Tasks::on_task_reject(request, codes);
}

void FaultyTasks::on_job_completed_info(NodeAddress from, const JobCompletedInfo& notice) {
  if (!deviates(job_notice_ignored)) Tasks::on_job_completed_info(from, notice);
}

void FaultyTasks::on_state_req(NodeAddress from, LinkId on, const StateReq& question) {
  if (deviates(reload_for_every_task)) return send(from, NodeReload{question.ltid}.draft(), on);
  if (deviates(completed_task_denied) && !all_tasks().contains(question.ltid.number))
    return send(from, NodeReload{question.ltid}.draft(), on);
  Tasks::on_state_req(from, on, question);
}

TaskCondition FaultyTasks::condition_of(const Task& task) const {
  const TaskCondition honest = Tasks::condition_of(task);
  if (deviates(sessions_denied) && honest == TaskCondition::has_sessions) return TaskCondition::no_sessions;
  if (deviates(sessions_invented) && honest != TaskCondition::has_sessions) return TaskCondition::has_sessions;
  if (deviates(resources_invented) && honest == TaskCondition::no_resources) return TaskCondition::no_sessions;
  return honest;
}

std::optional<Instant> FaultyTasks::jcp_silent_at(const Task& task) const {
  const auto at = Tasks::jcp_silent_at(task);
  if (!at || !deviates(jcp_given_up_early)) return at;
  return *at - std::chrono::milliseconds(500) * *task.period;
}

// ---------------------------------------------------------------------------------------------------------------- ends

std::optional<TaskId> FaultyTasks::terminated_ctid(const Task& task) const {
  if (deviates(terminate_with_first_ctid) && task.ctid) return completed_ctid(task);
  return Tasks::terminated_ctid(task);
}

bool FaultyTasks::abends_sessions(TaskEnd end) const {
  if (end == TaskEnd::terminated && deviates(sessions_not_abended)) return false;
  if (end == TaskEnd::completed && deviates(sessions_kept_after_job)) return false;
  return Tasks::abends_sessions(end);
}

}  // namespace wirelaw::umsp
