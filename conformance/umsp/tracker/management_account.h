// SPDX-License-Identifier: Apache-2.0
// What job management (RFC 3018, section 5) shows on one connection, of each of its two nodes under the other one as
// JCP: the requests that wait for an answer, the tasks that were confirmed, and what the JCP asks for. Two nodes may
// have more connections than this one (3), and may open another one at any time (5.7): what is absent here proves
// nothing, and is warned of at most.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/rule.h"
#include "conformance/trace.h"
#include "reference/umsp/address.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {

inline constexpr std::size_t kMostJobName = 254;  // octets (RFC 3018 8.3)

// CONTROL_REQ, TASK_REG or TASK_CHK.
struct ManagementRequest {
  const Rule* answer = nullptr;  // what it is answered by
  bool for_control = false;      // CONTROL_REQ
  bool for_check = false;        // TASK_CHK
  bool after_end = false;        // TASK_CHK of a task that its node has ended before
  unsigned waiting = 1;          // it and those before it with its REQ_ID that have no answer yet
  bool repeated = false;         // its REQ_ID was that of another one that was not answered yet
  bool has_inaction_time = false;
  std::optional<std::uint16_t> period;      // of that header, in half seconds
  std::optional<std::uint64_t> ltid, ctid;  // CTID: of the job's first task
  std::optional<Identifier> gtid;           // of the task that opens a session
  std::optional<std::string> name;          // of the job

  bool is_answered() const { return waiting == 0; }
};

// A task that the JCP has confirmed.
struct ManagedTask {
  std::uint64_t ctid = 0;
  std::uint64_t first_ctid = 0;    // of its job's first task
  std::optional<Identifier> gjid;  // that the JCP has assigned; of the first task alone
  bool ended = false;
  bool ended_elsewhere = false;  // on another connection, whose order to this one is not known
  bool ended_by_node = false;    // by its own TASK_TERMINATE, or by that of its job: JOB_COMPLETED
  bool job_reported = false;     // by the JCP, to be completed
};

// A node under the other one as JCP.
struct ManagedNode {
  std::map<std::uint32_t, ManagementRequest> requests;  // that the node has sent, by REQ_ID
  std::map<std::uint64_t, ManagedTask> tasks;           // by LTID
  std::vector<std::uint64_t> asked;                     // LTIDs of STATE_REQ that were not answered yet
  std::optional<AddressFormat> jcp_format;              // of the GJIDs that the JCP has assigned
  std::optional<std::uint16_t> period;                  // the node's inaction time, in half seconds
  std::int64_t latest_ns = 0;                           // when anything was sent between the two
  bool reloaded = false;                                // NODE_RELOAD was seen: STATE_REQ may come at once (5.7.4)
  bool complete = true;                                 // nothing was forgotten
  bool knows_ctids = true;                              // no confirmation was passed over

  // The active task of this LTID; nullptr where none is known.
  const ManagedTask* find_active(std::uint64_t ltid) const;
  // Active tasks that the node has registered by TASK_REG: whether one has this CTID, or is of the job whose first
  // task has it.
  bool has_registered(std::uint64_t ctid) const;
  bool has_registered_for(std::uint64_t first_ctid) const;
  // An active task that the node has registered has this CTID, whatever its job.
  bool has_task_with(std::uint64_t ctid) const;
  void keep(std::uint32_t req_id, const ManagementRequest& request);
  void keep(std::uint64_t ltid, const ManagedTask& task);
  void keep_asked(std::uint64_t ltid);
  // It has ended the task with this CTID itself, and has had no other one with it.
  bool has_ended(std::uint64_t ctid) const;
  // Notes that, before the task ends.
  void note_end_by_node(std::uint64_t ctid);
  // `is_here`: on this connection.
  void end_task(std::uint64_t ctid, bool is_here);
  // All tasks of the job.
  void end_job(std::uint64_t first_ctid, bool is_here);
  void end_ltid(std::uint64_t ltid, bool is_here);
  void end_all(bool is_here);
  // The JCP has reported that the job is completed.
  void report_job(std::uint64_t first_ctid);
  std::size_t memory() const;
};
inline constexpr std::size_t kMostManaged = 1024;  // requests, tasks and questions each, of one node

struct ManagementAccount {
  std::array<ManagedNode, 2> nodes;
  ManagedNode& of(Side side) { return nodes[side == Side::a ? 0 : 1]; }
  // Something of what was sent is missing.
  void forget() {
    for (ManagedNode& node : nodes) {
      node = {};
      node.complete = false;
    }
  }
  std::size_t memory() const { return nodes[0].memory() + nodes[1].memory(); }
};

}  // namespace wirelaw::umsp
