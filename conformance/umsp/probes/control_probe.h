// SPDX-License-Identifier: Apache-2.0
// What the cases speak through whose IUT is the control point (JCP) of jobs (RFC 3018 5 to 5.7): our nodes begin jobs
// under its control, register tasks, and get its notices and questions. The probe itself is node 0, which asks and is
// answered on its own connection; nodes that get something unasked are Parties.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/umsp/probes/party.h"
#include "reference/umsp/node/node_address.h"

namespace wirelaw::umsp {

struct ControlledJob {
  Identifier gjid = {};
  TaskId ltid = {};  // of its first task
  NodeAddress initiator = {};
  Identifier gtid() const { return gtid_of(initiator, ltid); }
  TaskId ctid() const { return {gjid.task, static_cast<std::uint8_t>(field_octets(gjid.format.memory_octets()))}; }
};
struct ControlledTask {
  TaskId ltid = {};
  TaskId ctid = {};
  std::optional<std::uint16_t> period = {};  // that was named, or that the JCP has named; half seconds
  std::optional<std::string> job_name = {};  // that the JCP has named
};

class ControlProbe : public Line {
 public:
  static constexpr wirelaw::Role kIut = wirelaw::Role::responder;
  using Line::Line;
  // Completes the jobs that it has begun: a node has room for a number of jobs, and one without a life time stays.
  ~ControlProbe() override;

  // Another one than a case before has left registered at the IUT.
  TaskId new_ltid();
  Draft control_req(TaskId ltid, std::uint16_t life_time = 0) const {
    return ControlReq{{.job_life_time = life_time}, ltid}.draft();
  }
  Draft task_reg(const ControlledJob& job, TaskId ltid) const { return task_reg(job, ltid, job.gtid()); }
  Draft task_reg(const ControlledJob& job, TaskId ltid, const Identifier& opener) const {
    return TaskReg{job.ctid(), opener, ltid}.draft();
  }
  Draft task_chk(const ControlledJob& job, TaskId ltid, const Identifier& opener) const {
    return TaskReg{job.ctid(), opener, ltid}.draft(true);
  }
  // With a new REQ_ID; the confirmation or refusal that has it. Others are passed over.
  std::optional<Received> ask(Line& from, Draft draft) {
    stimulates_own_rule();
    return ask_good(from, std::move(draft));
  }
  // The same of what is no stimulus.
  std::optional<Received> ask_good(Line& from, Draft draft);
  static bool says_yes(const std::optional<Received>& answer);
  static bool says_no(const std::optional<Received>& answer);

  // A job, as the confirmation has it. Nothing where it is refused, which skips the case: a node need not control jobs.
  std::optional<ControlledJob> begin_job(Line& from, std::uint16_t life_time = 0);
  std::optional<ControlledJob> begin_job(Line& from, TaskId ltid, Draft request);
  // A task of it on another node. A period that does not fit is taken as the IUT names it.
  std::optional<ControlledTask> register_task(Line& on, const ControlledJob& job,
                                              std::optional<std::uint16_t> period = {});

  // TASK_TERMINATE_INFO or JOB_COMPLETED_INFO (UMSP/A24).
  static std::optional<Received> next_notice(Line& at, std::chrono::nanoseconds time);
  static std::optional<Received> next_notice(Line& at) { return next_notice(at, at.run().answer_time()); }
  static bool is_without_notice(Line& at, std::chrono::nanoseconds time) { return !next_notice(at, time); }
  static bool is_without_notice(Line& at) { return is_without_notice(at, at.run().silence_time()); }
  // The notice was sent before what has just come to another node: on its own connection the answer to a request that
  // is sent now comes behind it. Nothing where that shows nothing.
  std::optional<bool> was_sent_before(Party& at, const ControlledJob& job);
  // STATE_REQ to that node, after at most so much more than a period.
  static std::optional<TaskId> next_question(Line& at, std::uint16_t period);
  static std::chrono::nanoseconds time_of(std::uint16_t period) { return std::chrono::milliseconds(500) * period; }

 private:
  std::uint64_t last_ltid_ = 0x31000;
  std::uint32_t last_request_ = 0x700;
  std::vector<TaskId> begun_;  // the CTIDs of the jobs
};

// A job of node 0 with tasks on two other nodes.
class SharedJob : public ControlProbe {
 public:
  explicit SharedJob(CaseRun& run);

  Party first, second;
  ControlledJob job;
  ControlledTask task_of_first, task_of_second;
};

}  // namespace wirelaw::umsp
