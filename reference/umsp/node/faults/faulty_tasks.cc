// SPDX-License-Identifier: Apache-2.0
// Tasks that commit deviations: they override each step that a deviation changes.
#include <utility>

#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/make_parts.h"

namespace wirelaw::umsp {
namespace {

using enum JobDeviation;

bool is(const Instruction& instruction, Opcode opcode) {
  return instruction.opcode() == static_cast<std::uint8_t>(opcode);
}

class FaultyTasks final : public Tasks {
 public:
  FaultyTasks(const TaskOptions& options, Outbox& outbox, ControlPoint& own, const JobDeviations& deviations)
      : Tasks(options, outbox, own), deviations_(deviations) {}

 private:
  // --- sending and receiving
  // Behaves like a registered job, with an invented GJID.
  void begin_without_control(NodeAddress jcp, const Draft& draft) {
    const Identifier gjid = identifier_of(options().format, jcp, draft.operands.empty() ? 0 : draft.operands.back());
    report({.kind = TaskEvent::Kind::job_started, .gjid = gjid, .ltid = gjid.task});
  }

  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override {
    if (deviates(job_not_registered) && draft.is(Opcode::control_req)) return begin_without_control(to, draft);
    Departure altered = with_faults(job_edits(), deviations_, {std::move(draft), options().format.format});
    if (altered.dropped) return;
    if (altered.misdirected) to = other_than(to);
    if (deviates(node_sends_notice) && altered.draft.is(Opcode::task_terminate))
      Tasks::send(to, TaskTerminateInfo{{1, 0}, gtid_of(options().address, {1, 4})}.draft(), on);
    Tasks::send(to, std::move(altered.draft), on);
  }

  void report(TaskEvent event) override {
    using Kind = TaskEvent::Kind;
    if (deviates(node_end_not_reported) && event.kind == Kind::node_ended) return;
    if (deviates(terminated_task_goes_on) && event.kind == Kind::task_ended && event.end == TaskEnd::terminated) return;
    if (deviates(gjid_altered) && event.kind == Kind::job_started) ++event.gjid.task;
    Tasks::report(std::move(event));
  }

  bool takes(NodeAddress from, LinkId on, const Instruction& instruction) override {
    if (ignores(job_edits(), deviations_, {instruction})) return false;
    if (answers(job_edits(), deviations_, instruction.opcode())) {
      Draft draft = codes_draft(Opcode::rsp_p, {});
      draft.session_id = 0;
      draft.req_id = instruction.header.req_id;
      Tasks::send(from, std::move(draft), on);
    }
    const auto question = is(instruction, Opcode::state_req) ? StateReq::read(instruction) : std::nullopt;
    if (question && deviates(node_asks_state) && all_tasks().contains(question->ltid.number))
      Tasks::send(from, question->draft(), on);
    if (question && deviates(padded_ltid_unknown) && question->ltid.octets > options().format.memory_octets()) {
      send(from, NodeReload{question->ltid}.draft(), on);
      return false;
    }
    return true;
  }

  // --- admissions
  bool needs_sanction(const Opening& opening, NodeAddress jcp) const override {
    return deviates(jcp_needs_sanction) || Tasks::needs_sanction(opening, jcp);
  }
  bool refuses_again(const Opening& opening, NodeAddress jcp) const override {
    return !deviates(opened_again_admitted) && Tasks::refuses_again(opening, jcp);
  }
  bool ends_former_task(const Opening& opening, NodeAddress jcp) const override {
    return !deviates(former_task_goes_on) && Tasks::ends_former_task(opening, jcp);
  }
  bool begins_unsanctioned() const override { return deviates(JobDeviation::begins_unsanctioned); }
  NodeAddress addressee_of_registration(const Task& task, const Opening& opening) const override {
    if (deviates(task.active ? checks_at_opener : registers_at_opener)) return opening.opener;
    return Tasks::addressee_of_registration(task, opening);
  }
  std::uint64_t registered_ctid(const Task& task) const override {
    return Tasks::registered_ctid(task) + (deviates(registers_other_ctid) ? 1 : 0);
  }
  Identifier registered_gtid(const Opening& opening) const override {
    if (!deviates(registers_own_gtid)) return Tasks::registered_gtid(opening);
    return gtid_of(options().address, opening.opener_ltid);
  }
  std::optional<std::uint16_t> named_inaction(const Task& task) const override {
    return deviates(inaction_always_named) ? options().inaction : Tasks::named_inaction(task);
  }
  std::chrono::nanoseconds timeout() const override {
    constexpr auto kForEver = std::chrono::hours(24 * 365 * 10);
    return deviates(waits_for_ever) ? kForEver : Tasks::timeout();
  }

  // --- answers and questions
  std::optional<ControlReject> read_rejection(const Instruction& instruction) const override {
    const bool proper = is(instruction, Opcode::control_reject);
    if (deviates(proper ? control_reject_5_ignored : control_reject_4_ignored)) return std::nullopt;
    return Tasks::read_rejection(instruction);
  }

  void on_control_confirm(const Request& request, const ControlConfirm& answer) override {
    constexpr std::uint32_t kReqId = 0x7fff'0000;
    Tasks::on_control_confirm(request, answer);
    if (!deviates(first_task_registered)) return;
    const TaskId ltid = options().format.task_id(request.ltid);
    Draft draft = TaskReg{ctid_of(answer.gjid, answer.gjid.task), gtid_of(options().address, ltid), ltid}.draft();
    draft.req_id = kReqId;
    send(request.jcp, std::move(draft), {});
  }

  void on_task_reject(const Request& request, const Codes& codes) override {
    if (deviates(rejected_task_begins) && request.kind == Request::Kind::registration)
      return on_task_confirm(request, TaskConfirm{options().format.task_id(1)}, Instruction{});
    Tasks::on_task_reject(request, codes);
  }

  void on_state_req(NodeAddress from, LinkId on, const StateReq& question) override {
    if (deviates(reload_for_every_task)) return send(from, NodeReload{question.ltid}.draft(), on);
    if (deviates(completed_task_denied) && !all_tasks().contains(question.ltid.number))
      return send(from, NodeReload{question.ltid}.draft(), on);
    Tasks::on_state_req(from, on, question);
  }

  std::optional<Instant> jcp_silent_at(const Task& task) const override {
    const auto at = Tasks::jcp_silent_at(task);
    if (!at || !deviates(jcp_given_up_early)) return at;
    return *at - std::chrono::milliseconds(500) * *task.period;
  }

  // --- ends
  std::optional<TaskId> terminated_ctid(const Task& task) const override {
    if (deviates(terminate_with_first_ctid) && task.ctid) return completed_ctid(task);
    return Tasks::terminated_ctid(task);
  }

  bool abends_sessions(TaskEnd end) const override {
    if (end == TaskEnd::terminated && deviates(sessions_not_abended)) return false;
    if (end == TaskEnd::completed && deviates(sessions_kept_after_job)) return false;
    return Tasks::abends_sessions(end);
  }

  bool deviates(JobDeviation deviation) const { return deviations_.has(deviation); }
  JobDeviations deviations_;
};

}  // namespace

std::unique_ptr<Tasks> make_tasks(const TaskOptions& options, Outbox& outbox, ControlPoint& own,
                                  const JobDeviations& deviations) {
  const JobDeviations of_node = deviations.of(JobRole::node);
  if (of_node.empty()) return std::make_unique<Tasks>(options, outbox, own);
  return std::make_unique<FaultyTasks>(options, outbox, own, of_node);
}

}  // namespace wirelaw::umsp
