// SPDX-License-Identifier: Apache-2.0
// Reports of a node's jobs and tasks (reference/umsp/node/tasks.h) to the node itself and to its application.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reference/umsp/address.h"
#include "reference/umsp/management.h"
#include "reference/umsp/node/node_address.h"

namespace wirelaw::umsp {

// The number in Tasks of a SESSION_OPEN that waits for the JCP's permission.
using OpeningId = std::uint64_t;

// A SESSION_OPEN without a session yet, and its sender.
struct Opening {
  Identifier gjid;
  NodeAddress opener;
  TaskId opener_ltid;
  bool again = false;  // a session of this job with this node already exists (5.3.1)
};

struct Admission {
  enum class Kind : std::uint8_t {
    admitted,  // `ltid` is the task of the session
    waiting,   // TaskEvent::Kind::admitted or refused follows, with `opening`
    refused,   // send SESSION_REJECT with `codes`
  };
  Kind kind = Kind::refused;
  std::uint64_t ltid = 0;
  OpeningId opening = 0;
  Codes codes = {};
};

enum class TaskEnd : std::uint8_t {
  terminated,     // by this node, with TASK_TERMINATE
  completed,      // this node has completed the job, with JOB_COMPLETED
  job_completed,  // by the JCP: JOB_COMPLETED_INFO
  jcp_silent,     // handled like JOB_COMPLETED_INFO (5.7.2)
  opened_again,   // by the JCP (5.3.1)
  not_opened,     // the JCP has not completed the opening of its first session
};

struct TaskEvent {
  enum class Kind : std::uint8_t {
    job_started,  // begin_job() was granted: gjid, ltid, name
    job_refused,  // gjid is void; ltid, codes, and the values that the JCP would allow: profile, inaction
    task_begun,   // gjid, ltid, name: the VM may begin it; also for the job's own task, before job_started
    admitted,     // opening, gjid, ltid
    refused,      // opening, gjid, codes: SESSION_REJECT
    task_ended,   // gjid, ltid, end, codes, abends
    node_ended,   // gjid, ltid of the task here, ended: pointers to that node are invalid (5.5.2)
  };
  Kind kind{};
  Identifier gjid = {};
  std::uint64_t ltid = 0;
  std::string name = {};
  OpeningId opening = 0;
  Codes codes = {};
  TaskEnd end{};
  // SESSION_ABEND is sent on each session of the task (5.5.1, 5.6.1); else they are removed without a notice (5.6.2).
  bool abends = false;
  std::optional<Identifier> ended = {};  // the GTID
  std::optional<ControlProfile> profile = {};
  std::optional<std::uint16_t> inaction = {};
};

}  // namespace wirelaw::umsp
