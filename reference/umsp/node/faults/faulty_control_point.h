// SPDX-License-Identifier: Apache-2.0
// A control point that commits deviations: it overrides each step that a deviation changes.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "reference/umsp/node/control_point.h"
#include "reference/umsp/node/faults/job_deviations.h"

namespace wirelaw::umsp {

class FaultyControlPoint final : public ControlPoint {
 public:
  // `deviations` must be those of the role.
  FaultyControlPoint(const ControlOptions& options, Outbox& outbox, const JobDeviations& deviations,
                     FormerControl former, Instant now)
      : ControlPoint(options, outbox, former, now), deviations_(deviations) {}

 private:
  // --- requests (faulty_control_point.cc)
  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override;
  bool takes(NodeAddress from, LinkId on, const Instruction& instruction) override;
  std::optional<ControlReject> refuse_job(const ControlReq& request) const override;
  bool fits(std::uint16_t period) const override;
  std::optional<std::uint64_t> find_active_job(NodeAddress from, const TaskId& ltid) const override;
  void end_former_job(std::uint64_t job) override;
  std::optional<Instant> end_of_life(std::uint16_t life_time) const override;
  Identifier gjid_of(std::uint64_t ctid) const override;
  bool is_kept_apart(std::uint64_t ctid) const override;
  void end_former_tasks(NodeAddress from) override;
  bool knows_opener(std::uint64_t job, const Identifier& gtid) const override;
  bool knows_task(NodeAddress node, const TaskId& ltid) const override;
  const Task* find_checked(std::uint64_t job, NodeAddress node, const TaskId& ltid) const override;
  std::string name_for(const Job& job) const override;
  std::uint16_t period_for(std::optional<std::uint16_t> named) const override;

  // --- ends and activity (faulty_control_ends.cc)
  std::vector<NodeAddress> nodes_of(const Job& job, std::optional<NodeAddress> without) const override;
  bool needs_notice(const Codes& codes) const override;
  Identifier gtid_of_ended(const Task& task) const override;
  void notify_task_end(const Task& task, const Codes& codes) override;
  void notify_job_end(const Job& job, const Codes& codes, Cause cause) override;
  void on_task_terminate(NodeAddress from, const TaskTerminate& notice) override;
  void on_job_completed(NodeAddress from, const JobCompleted& notice) override;
  void on_life_over(std::uint64_t job) override;
  void end_all_jobs() override;
  void unlinked(NodeAddress node, Instant now) override;
  std::optional<Instant> question_due(const Node& node) const override;
  Instant answer_due(const Node& node, Instant asked) const override;
  void on_no_answer(NodeAddress address) override;
  void on_task_state(NodeAddress from, const TaskState& answer) override;
  void begin_reload(Node& node) override;
  void finish_reload(Node& node) override;

  // A draft that is held back until an instruction with the OPCODE `until` is sent, and then follows the next one.
  struct Held {
    NodeAddress to;
    Draft draft;
    Opcode until;
    bool due = false;
  };
  bool deviates(JobDeviation deviation) const { return deviations_.has(deviation); }
  bool is_padded(const TaskId& ctid) const;
  bool holds(const Draft& draft, Opcode& until) const;
  void flush(const Draft& draft);

  JobDeviations deviations_;
  std::vector<Held> held_;
  std::set<std::pair<NodeAddress, std::uint64_t>> ended_;  // ltid_never_again
  std::uint8_t opcode_ = 0;                                // the instruction in progress
  bool ends_former_job_ = false;
  bool ends_former_tasks_ = false;
  bool refuses_next_ = false;
  bool silent_ = false;
  bool on_task_ = false;  // the notice that is being sent
};

}  // namespace wirelaw::umsp
