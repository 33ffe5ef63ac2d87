// SPDX-License-Identifier: Apache-2.0
// A control point that commits deviations: it overrides each step that a deviation changes.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/make_parts.h"

namespace wirelaw::umsp {
namespace {

using enum JobDeviation;

bool is_registration(Opcode opcode) {
  return opcode >= Opcode::task_reg_2 && opcode <= Opcode::task_reg_8;
}

class FaultyControlPoint final : public ControlPoint {
 public:
  FaultyControlPoint(const ControlOptions& options, Outbox& outbox, const JobDeviations& deviations,
                     FormerControl former, Instant now)
      : ControlPoint(options, outbox, former, now), deviations_(deviations) {}

 private:
  // A draft that is held back until an instruction with the OPCODE `until` is sent, and then follows the next one.
  struct Held {
    NodeAddress to;
    Draft draft;
    Opcode until;
    bool due = false;
  };

  bool takes(NodeAddress from, LinkId, const Instruction& instruction) override {
    opcode_ = static_cast<Opcode>(instruction.opcode());
    refuses_next_ = false;
    if (ignores(job_edits(), deviations_, {instruction, options().format.format})) return false;
    if (deviates(new_task_stops_check) && is_registration(opcode_)) forget_questions(from);
    return true;
  }

  // --- sending
  bool holds(const Draft& draft, Opcode& until) const {
    until = draft.is(Opcode::job_completed_info) ? Opcode::control_confirm : Opcode::task_confirm;
    if (draft.is(Opcode::job_completed_info)) return ends_former_job_ && deviates(job_notice_behind_confirm);
    return draft.is(Opcode::task_terminate_info) &&
           (deviates(task_notice_held) || (ends_former_tasks_ && deviates(task_notice_behind_confirm)));
  }

  void flush(const Draft& draft) {
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

  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override {
    draft = with_faults(job_edits(), deviations_, {std::move(draft), options().format.format}).draft;
    if (Opcode until{}; holds(draft, until)) {
      held_.push_back({to, std::move(draft), until});
      return;
    }
    ControlPoint::send(to, draft, on);
    flush(draft);
  }

  // --- CONTROL_REQ
  std::optional<ControlReject> refuse_job(const ControlReq& request) const override {
    const bool refused = refuses_next_ || (deviates(cmt_refused) && request.profile.cmt);
    return refused ? ControlReject{codes_of(JobCode::not_accepted)} : ControlPoint::refuse_job(request);
  }
  bool fits(std::uint16_t period) const override {
    if (deviates(task_reg_with_inaction_refused) && is_registration(opcode_)) return false;
    return ControlPoint::fits(period);
  }

  std::optional<std::uint64_t> find_active_job(NodeAddress from, const TaskId& ltid) const override {
    if (deviates(former_job_overlooked)) return std::nullopt;
    if (!deviates(other_job_ended)) return ControlPoint::find_active_job(from, ltid);
    for (const auto& [ctid, job] : all_jobs())
      if (job.initiator == from) return ctid;
    return std::nullopt;
  }

  void end_former_job(std::uint64_t job) override {
    ends_former_job_ = true;
    silent_ = deviates(former_job_not_notified);
    ControlPoint::end_former_job(job);
    ends_former_job_ = silent_ = false;
    refuses_next_ = deviates(repeated_job_refused);
  }

  std::optional<Instant> end_of_life(std::uint16_t life_time) const override {
    if (deviates(life_time_ignored)) return std::nullopt;
    if (deviates(no_life_time_is_short) && life_time == 0) return now() + std::chrono::seconds(1);
    return ControlPoint::end_of_life(life_time);
  }

  Identifier gjid_of(std::uint64_t ctid) const override {
    if (!deviates(gjid_of_other_node)) return ControlPoint::gjid_of(ctid);
    return identifier_of(options().format, other_than(options().address), ctid);
  }
  bool is_kept_apart(std::uint64_t ctid) const override {
    return !deviates(old_gjid_again) && ControlPoint::is_kept_apart(ctid);
  }

  // --- TASK_REG, TASK_CHK
  void end_former_tasks(NodeAddress from) override {
    if (deviates(former_tasks_overlooked)) return;
    ends_former_tasks_ = true;
    silent_ = deviates(former_tasks_not_notified);
    ControlPoint::end_former_tasks(from);
    ends_former_tasks_ = silent_ = false;
  }

  bool knows_opener(std::uint64_t job, const Identifier& gtid) const override {
    if (deviates(unknown_opener_confirmed) && is_registration(opcode_)) return true;
    if (deviates(unknown_check_confirmed) && opcode_ == Opcode::task_chk) return true;
    return ControlPoint::knows_opener(job, gtid);
  }

  bool knows_task(NodeAddress node, const TaskId& ltid) const override {
    if (deviates(registration_refused)) return true;
    if (deviates(known_ltid_confirmed)) return false;
    return ended_.contains({node, ltid.number}) || ControlPoint::knows_task(node, ltid);
  }

  const ControlPoint::Task* find_checked(std::uint64_t job, NodeAddress node, const TaskId& ltid) const override {
    if (deviates(check_refused)) return nullptr;
    const Task* const task = ControlPoint::find_checked(job, node, ltid);
    const bool invents = task == nullptr && deviates(unknown_check_confirmed) && !all_tasks().empty();
    return invents ? &all_tasks().begin()->second : task;
  }

  std::string name_for(const Job& job) const override { return job.name + (deviates(job_name_changes) ? "2" : ""); }
  std::uint16_t period_for(std::optional<std::uint16_t> named) const override {
    return !named && deviates(no_period_set) ? std::uint16_t{0} : ControlPoint::period_for(named);
  }

  // --- notices
  std::vector<NodeAddress> nodes_of(const Job& job, std::optional<NodeAddress> without) const override {
    std::vector<NodeAddress> nodes = ControlPoint::nodes_of(job, without);
    if (!nodes.empty() && deviates(on_task_ ? one_node_without_task_notice : one_node_without_job_notice))
      nodes.pop_back();
    return nodes;
  }

  bool needs_notice(const Codes& codes) const override {
    return !deviates(terminate_not_notified) && ControlPoint::needs_notice(codes);
  }
  Identifier gtid_of_ended(const Task& task) const override {
    if (!deviates(task_notice_with_ctid)) return ControlPoint::gtid_of_ended(task);
    return gtid_of(task.node, options().format.task_id(task.ctid));
  }

  void notify_task_end(const Task& task, const Codes& codes) override {
    if (silent_ || deviates(task_end_not_notified)) return;
    on_task_ = true;
    ControlPoint::notify_task_end(task, codes);
    on_task_ = false;
    const Job* const job = job_of(task.job);
    if (deviates(ended_node_notified) && job != nullptr) notify(task.node, {codes, gtid_of_ended(task)}, *job);
  }

  void notify_job_end(const Job& job, const Codes& codes, Cause cause) override {
    if (silent_ || (cause == Cause::completed && deviates(job_end_not_notified))) return;
    if (cause != Cause::by_jcp || !deviates(initiator_notified_last))
      return ControlPoint::notify_job_end(job, codes, cause);
    ControlPoint::notify_job_end(job, codes, Cause::completed);
    held_.push_back({job.initiator, JobCompletedInfo{codes, job.gjid}.draft(), Opcode::job_completed_info, true});
  }

  void on_task_terminate(NodeAddress from, const TaskTerminate& notice) override {
    const auto task = all_tasks().find(notice.ctid.number);
    if (task != all_tasks().end() && task->second.node == from && task->second.ltid) {
      if (deviates(ltid_never_again)) ended_.insert({from, task->second.ltid->number});
      if (deviates(job_notice_without_end) && !task->second.is_first())
        notify_job_end(*job_of(task->second.job), notice.codes, Cause::by_jcp);
    }
    ControlPoint::on_task_terminate(from, notice);
  }

  void on_life_over(std::uint64_t job) override {
    silent_ = deviates(life_end_silent);
    ControlPoint::on_life_over(job);
    silent_ = false;
  }

  void end_all_jobs() override {
    silent_ = deviates(shut_down_silent);
    ControlPoint::end_all_jobs();
    silent_ = false;
  }

  // --- activity
  void unlinked(NodeAddress node, Instant now) override {
    ControlPoint::unlinked(node, now);
    if (deviates(unlinked_node_given_up)) end_tasks_on(node, codes_of(JobCode::node_silent));
  }
  std::optional<Instant> question_due(const Node& node) const override {
    if (deviates(nodes_not_watched)) return std::nullopt;
    return ControlPoint::question_due(node);
  }
  Instant answer_due(const Node& node, Instant asked) const override {
    const Instant due = ControlPoint::answer_due(node, asked);
    return deviates(gives_up_early) ? asked + (due - asked) / 2 : due;
  }

  void on_no_answer(NodeAddress address) override {
    if (deviates(silence_tolerated)) return forget_questions(address);
    if (deviates(silent_initiator_ignored))
      for (const auto& [ctid, task] : all_tasks())
        if (task.node == address && task.is_first()) return forget_questions(address);
    silent_ = deviates(silent_node_not_notified);
    ControlPoint::on_no_answer(address);
    silent_ = false;
  }

  void on_task_state(NodeAddress from, const TaskState& answer) override {
    ControlPoint::on_task_state(from, answer);
    const auto task = all_tasks().find(answer.ctid.number);
    if (deviates(task_notice_without_end) && task != all_tasks().end() && task->second.node == from)
      notify_task_end(task->second, codes_of(JobCode::task_completed));
  }

  void begin_reload(Node& node) override {
    const Order last_but_one = node.last_but_one;
    if (deviates(older_tasks_not_asked)) node.last_but_one = 0;
    ControlPoint::begin_reload(node);
    node.last_but_one = node.reload->after = last_but_one;
    if (deviates(reload_not_waited_for)) finish_reload(node);
  }

  void finish_reload(Node& node) override {
    if (deviates(later_tasks_not_asked))
      node.reload.reset();
    else
      ControlPoint::finish_reload(node);
  }

  bool deviates(JobDeviation deviation) const { return deviations_.has(deviation); }
  JobDeviations deviations_;
  std::vector<Held> held_;
  std::set<std::pair<NodeAddress, std::uint64_t>> ended_;  // ltid_never_again
  Opcode opcode_ = {};                                     // the instruction in progress
  bool ends_former_job_ = false;
  bool ends_former_tasks_ = false;
  bool refuses_next_ = false;
  bool silent_ = false;
  bool on_task_ = false;  // the notice that is being sent
};

}  // namespace

std::unique_ptr<ControlPoint> make_control_point(const ControlOptions& options, Outbox& outbox,
                                                 const JobDeviations& deviations, FormerControl former, Instant now) {
  const JobDeviations own = deviations.of(JobRole::control);
  if (own.empty()) return std::make_unique<ControlPoint>(options, outbox, former, now);
  return std::make_unique<FaultyControlPoint>(options, outbox, own, former, now);
}

}  // namespace wirelaw::umsp
