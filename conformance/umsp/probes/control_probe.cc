// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/control_probe.h"

#include <fmt/format.h>

namespace wirelaw::umsp {

TaskId ControlProbe::new_ltid() {
  const auto ends = connected() ? transport().ends() : std::nullopt;
  const std::uint64_t port = ends ? ends->tester.port : 0;
  return {(port << 12) + ++last_ltid_, 4};
}

ControlProbe::~ControlProbe() {
  if (!connected()) return;
  constexpr Codes kDone{1, 0};
  for (const TaskId& ctid : begun_) send_afterwards(JobCompleted{kDone, ctid}.draft());
}

std::optional<Received> ControlProbe::ask_good(Line& from, Draft draft) {
  const std::uint32_t req_id = ++last_request_;
  draft.req_id = req_id;
  from.send_good(draft);
  const Instant deadline = from.in(run().answer_time());
  while (auto one = from.next(deadline)) {
    const bool answers =
        one->is_one_of({Opcode::control_confirm, Opcode::control_reject, Opcode::task_confirm, Opcode::task_reject});
    if (!answers || !one->instruction.header.ask || one->req_id() != req_id) continue;
    const auto confirm = one->is(Opcode::control_confirm) ? ControlConfirm::read(one->instruction) : std::nullopt;
    if (confirm && &from == this) begun_.push_back(ControlledJob{confirm->gjid}.ctid());
    return one;
  }
  return std::nullopt;
}

// OPCODE 4 may be a refusal (UMSP/A1).
bool ControlProbe::says_yes(const std::optional<Received>& answer) {
  if (!answer) return false;
  return answer->is(Opcode::task_confirm) ||
         (answer->is(Opcode::control_confirm) && ControlConfirm::read(answer->instruction));
}

bool ControlProbe::says_no(const std::optional<Received>& answer) {
  return answer && !says_yes(answer);
}

std::optional<ControlledJob> ControlProbe::begin_job(Line& from, TaskId ltid, Draft request) {
  const auto answer = ask_good(from, std::move(request));
  const auto confirm =
      answer && answer->is(Opcode::control_confirm) ? ControlConfirm::read(answer->instruction) : std::nullopt;
  if (confirm) return ControlledJob{confirm->gjid, ltid, from.self()};
  if (answer)
    skip(fmt::format("needs a node that takes control of a job: it answers {}", to_text(answer)));
  else
    inconclusive("CONTROL_REQ got no answer");
  return std::nullopt;
}

std::optional<ControlledJob> ControlProbe::begin_job(Line& from, std::uint16_t life_time) {
  const TaskId ltid = new_ltid();
  return begin_job(from, ltid, control_req(ltid, life_time));
}

std::optional<ControlledTask> ControlProbe::register_task(Line& on, const ControlledJob& job,
                                                          std::optional<std::uint16_t> period) {
  ControlledTask task{.ltid = new_ltid(), .period = period};
  for (const bool again : {false, true}) {
    Draft draft = task_reg(job, task.ltid);
    if (task.period) draft.extensions.push_back(inaction_extension(*task.period));
    const auto answer = ask_good(on, std::move(draft));
    const auto named = answer ? inaction_of(answer->instruction) : std::nullopt;
    const auto confirm =
        answer && answer->is(Opcode::task_confirm) ? TaskConfirm::read(answer->instruction) : std::nullopt;
    if (confirm) {
      task.ctid = confirm->ctid;
      if (!task.period) task.period = named;
      if (const auto name = name_of(answer->instruction)) task.job_name = std::string(*name);
      return task;
    }
    if (!again && period && named) {
      task.period = named;
      continue;
    }
    inconclusive(fmt::format("a task was not registered: {} came", to_text(answer)));
    break;
  }
  return std::nullopt;
}

std::optional<Received> ControlProbe::next_notice(Line& at, std::chrono::nanoseconds time) {
  const Instant deadline = at.in(time);
  while (auto one = at.next(deadline))
    if (one->is_one_of({Opcode::task_terminate_info, Opcode::job_completed_info})) return one;
  return std::nullopt;
}

std::optional<bool> ControlProbe::was_sent_before(Party& at, const ControlledJob& job) {
  ControlledJob unknown = job;
  unknown.gjid.task ^= 0x5a5a;
  Draft draft = task_reg(unknown, new_ltid());
  draft.req_id = ++last_request_;
  at.send_good(draft);
  const Instant deadline = at.in(run().answer_time());
  while (const auto one = at.next(deadline)) {
    if (one->is_one_of({Opcode::task_terminate_info, Opcode::job_completed_info}))
      return at.was_dialled() ? std::nullopt : std::optional(true);
    if (!one->is_one_of({Opcode::task_reject, Opcode::task_confirm})) continue;
    const bool comes_later = !at.was_dialled() && next_notice(at) && !at.was_dialled();
    return comes_later ? std::optional(false) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<TaskId> ControlProbe::next_question(Line& at, std::uint16_t period) {
  const Instant deadline = at.in(time_of(period) + at.run().answer_time());
  while (const auto one = at.next(deadline)) {
    const auto question = one->is(Opcode::state_req) ? StateReq::read(one->instruction) : std::nullopt;
    if (question) return question->ltid;
  }
  return std::nullopt;
}

SharedJob::SharedJob(CaseRun& run) : ControlProbe(run), first(run, 1), second(run, 2) {
  if (!ok()) return;
  if (!first.ok() || !second.ok()) stop();
  if (!ok()) return;
  if (const auto begun = begin_job(*this)) job = *begun;
  if (!ok()) return;
  if (const auto one = register_task(first, job)) task_of_first = *one;
  if (!ok()) return;
  if (const auto one = register_task(second, job)) task_of_second = *one;
}

}  // namespace wirelaw::umsp
