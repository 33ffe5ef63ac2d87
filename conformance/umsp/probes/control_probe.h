// SPDX-License-Identifier: Apache-2.0
// The probe for an IUT that is the control point (JCP) of jobs (RFC 3018 5 to 5.7). Our nodes begin jobs under its
// control, register tasks, and get its notices and STATE_REQs. The probe itself is node 0, which sends requests and
// gets answers on its own connection. Nodes that get unrequested instructions are Parties.
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
  TaskId ltid = {};  // LTID of the job's first task
  NodeAddress initiator = {};
  Identifier gtid() const { return gtid_of(initiator, ltid); }
  TaskId ctid() const { return {gjid.task, static_cast<std::uint8_t>(field_octets(gjid.format.memory_octets()))}; }
};
struct ControlledTask {
  TaskId ltid = {};
  TaskId ctid = {};
  std::optional<std::uint16_t> period = {};  // requested, or named by the JCP; half seconds
  std::optional<std::string> job_name = {};  // named by the JCP
};

class ControlProbe : public Line {
 public:
  static constexpr Role kIut = Role::responder;
  using Line::Line;
  // Completes the jobs that the probe has begun: a node has room for a limited number, and jobs without a lifetime
  // remain.
  ~ControlProbe() override;

  // An LTID that no earlier case has left registered at the IUT.
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
  // Sends the request with a new REQ_ID, and returns the confirmation or refusal with that REQ_ID. Others are skipped.
  std::optional<Received> ask(Line& from, Draft draft) {
    stimulates_own_rule();
    return ask_good(from, std::move(draft));
  }
  // Same for a request that is no stimulus.
  std::optional<Received> ask_good(Line& from, Draft draft);
  static bool says_yes(const std::optional<Received>& answer);
  static bool says_no(const std::optional<Received>& answer);

  // Begins a job, and returns it as confirmed. None if it is refused, which skips the case: a node need not control
  // jobs.
  std::optional<ControlledJob> begin_job(Line& from, std::uint16_t life_time = 0);
  std::optional<ControlledJob> begin_job(Line& from, TaskId ltid, Draft request);
  // Registers a task of the job on another node. If the IUT does not accept the period, it takes the one that the IUT
  // names.
  std::optional<ControlledTask> register_task(Line& on, const ControlledJob& job,
                                              std::optional<std::uint16_t> period = {});

  // The next TASK_TERMINATE_INFO or JOB_COMPLETED_INFO (UMSP/A24).
  static std::optional<Received> next_notice(Line& at, std::chrono::nanoseconds time);
  static std::optional<Received> next_notice(Line& at) { return next_notice(at, at.run().answer_time()); }
  static bool is_without_notice(Line& at, std::chrono::nanoseconds time) { return !next_notice(at, time); }
  static bool is_without_notice(Line& at) { return is_without_notice(at, at.run().silence_time()); }
  // True if the notice was sent before what has just arrived at another node: on its own connection, it precedes the
  // answer to a request that is sent now. None if that proves nothing.
  std::optional<bool> was_sent_before(Party& at, const ControlledJob& job);
  // The STATE_REQ to that node, which may take somewhat longer than a period.
  static std::optional<TaskId> next_question(Line& at, std::uint16_t period);
  static std::chrono::nanoseconds time_of(std::uint16_t period) { return std::chrono::milliseconds(500) * period; }

 private:
  std::uint64_t last_ltid_ = 0x31000;
  std::uint32_t last_request_ = 0x700;
  std::vector<TaskId> begun_;  // CTIDs of the jobs to complete
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
