// SPDX-License-Identifier: Apache-2.0
// Why requests about jobs are refused, and why jobs and tasks end without an action of their application. RFC 3018
// assigns no codes (5.1.3, 5.2.3, 5.5.1, 5.6.1). These are the basic codes of this implementation; the additional code
// is 0.
#pragma once

#include <cstdint>

#include "reference/umsp/management.h"

namespace wirelaw::umsp {

enum class JobCode : std::uint16_t {
  // Refusals.
  malformed = 1,        // the operands do not have the form of their instruction
  version_unknown,      // VERSION is not 1
  not_accepted,         // this node does not control jobs of others
  life_time,            // longer than this JCP allows
  inaction_time,        // outside of the periods that this JCP allows
  no_room,              // a limit of this node is reached
  unknown_job,          // no job with this CTID
  opener_unknown,       // the task of the GTID is not registered
  task_registered,      // the LTID is registered for the node
  task_not_registered,  // TASK_CHK: the LTID is not registered
  no_jcp,               // the GJID names no node that can be asked
  no_answer,            // the JCP has not answered in time
  wrong_gjid,           // the JCP's answer has a GJID of another node, or one in use
  already_open,         // the opener already has a session of this job, and is not the JCP
  // Ends.
  job_begun_again,  // CONTROL_REQ with the LTID of an active job (5.1.1)
  node_silent,      // no answer to STATE_REQ (5.7.2)
  node_reloaded,    // by NODE_RELOAD, or by _INACTION_TIME in TASK_REG (5.7.1, 5.7.4)
  task_completed,   // by TASK_STATE (5.7.3)
  life_time_over,   // 5.6
  jcp_ends,         // 5.6
  jcp_silent,       // 5.7.2
  opened_again,     // by the JCP (5.3.1)
};

constexpr Codes codes_of(JobCode code) {
  return {static_cast<std::uint16_t>(code), 0};
}

}  // namespace wirelaw::umsp
