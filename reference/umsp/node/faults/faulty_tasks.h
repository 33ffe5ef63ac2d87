// SPDX-License-Identifier: Apache-2.0
// Tasks that commit deviations: they override each step that a deviation changes.
#pragma once

#include "reference/umsp/node/faults/job_deviations.h"
#include "reference/umsp/node/tasks.h"

namespace wirelaw::umsp {

class FaultyTasks final : public Tasks {
 public:
  // `deviations` must be those of the role.
  FaultyTasks(const TaskOptions& options, Outbox& outbox, ControlPoint& own, const JobDeviations& deviations)
      : Tasks(options, outbox, own), deviations_(deviations) {}

 private:
  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override;
  void report(TaskEvent event) override;
  bool takes(NodeAddress from, LinkId on, const Instruction& instruction) override;
  bool needs_sanction(const Opening& opening, NodeAddress jcp) const override;
  bool refuses_again(const Opening& opening, NodeAddress jcp) const override;
  bool ends_former_task(const Opening& opening, NodeAddress jcp) const override;
  bool begins_unsanctioned() const override;
  NodeAddress addressee_of_registration(const Task& task, const Opening& opening) const override;
  std::uint64_t registered_ctid(const Task& task) const override;
  Identifier registered_gtid(const Opening& opening) const override;
  std::optional<std::uint16_t> named_inaction(const Task& task) const override;
  std::chrono::nanoseconds timeout() const override;
  std::optional<ControlReject> read_rejection(const Instruction& instruction) const override;
  void on_control_confirm(const Request& request, const ControlConfirm& answer) override;
  void on_task_reject(const Request& request, const Codes& codes) override;
  void on_job_completed_info(NodeAddress from, const JobCompletedInfo& notice) override;
  void on_state_req(NodeAddress from, LinkId on, const StateReq& question) override;
  TaskCondition condition_of(const Task& task) const override;
  std::optional<Instant> jcp_silent_at(const Task& task) const override;
  std::optional<TaskId> terminated_ctid(const Task& task) const override;
  bool abends_sessions(TaskEnd end) const override;

  bool deviates(JobDeviation deviation) const { return deviations_.has(deviation); }
  bool leaves_out(const Draft& draft) const;
  void begin_without_control(NodeAddress jcp, const Draft& draft);
  void answer_answers(NodeAddress from, LinkId on, const Instruction& instruction);

  JobDeviations deviations_;
};

}  // namespace wirelaw::umsp
