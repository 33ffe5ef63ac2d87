// SPDX-License-Identifier: Apache-2.0
// The job management (RFC 3018, section 5) on one connection, for each of its two nodes with the other one as JCP:
// requests without an answer, confirmed tasks, and questions of the JCP. Two nodes may have further connections (3) and
// may open another one at any time (5.7). Something absent here proves nothing, and causes a warning at most.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/trace.h"
#include "reference/umsp/address.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {

inline constexpr std::size_t kMostJobName = 254;  // octets (RFC 3018 8.3)

// The position and time of a message.
struct MessageMark {
  std::uint64_t index = 0, frame = 0;
  std::int64_t time_ns = 0;
};
inline MessageMark mark_of(const Message& message) {
  return {message.index, message.frame, message.time_ns};
}

// CONTROL_REQ, TASK_REG or TASK_CHK.
struct ManagementRequest {
  enum class Kind : std::uint8_t { control, registration, check };
  Kind kind = Kind::control;
  bool after_end = false;  // TASK_CHK of a task that its node has already ended
  unsigned waiting = 1;    // unanswered requests with this REQ_ID, this one included
  bool repeated = false;   // its REQ_ID was in use by another unanswered request
  bool has_inaction_time = false;
  std::optional<std::uint16_t> period;      // period in that header, in half seconds
  std::optional<std::uint64_t> ltid, ctid;  // the CTID is that of the job's first task
  std::optional<Identifier> gtid;           // GTID of the task that opens a session
  std::optional<std::string> name;          // name of the job

  bool is_answered() const { return waiting == 0; }
  bool is_for_control() const { return kind == Kind::control; }
};

// A task that the JCP has confirmed.
struct ManagedTask {
  std::uint64_t ctid = 0;
  std::uint64_t first_ctid = 0;    // CTID of the job's first task
  std::optional<Identifier> gjid;  // assigned by the JCP; only for the first task
  bool ended = false;
  bool ended_elsewhere = false;  // ended on another connection, so the order is unknown
  bool ended_by_node = false;    // ended by the node's TASK_TERMINATE or JOB_COMPLETED
  bool job_reported = false;     // the JCP has reported that the job is completed
  MessageMark end = {};          // the end by the node; valid if `ended_by_node`
  std::int64_t begun_ns = 0;     // time of its confirmation
};

// A node with the other one as JCP.
struct ManagedNode {
  std::map<std::uint32_t, ManagementRequest> requests;   // requests of the node, by REQ_ID
  std::map<std::uint64_t, ManagedTask> tasks;            // by LTID
  std::vector<std::uint64_t> asked;                      // LTIDs of unanswered STATE_REQs
  std::int64_t asked_ns = 0;                             // time of the oldest of them, or of one before it
  std::optional<MessageMark> question, former_question;  // the latest two STATE_REQs
  MessageMark reload;                                    // the latest NODE_RELOAD
  std::vector<std::uint64_t> to_ask;                     // LTIDs that the JCP asks for because of it (5.7.4)
  std::optional<AddressFormat> jcp_format;               // address format of the GJIDs that the JCP has assigned
  std::optional<std::uint16_t> period;                   // the node's inaction time, in half seconds
  std::int64_t latest_ns = 0;                            // time of the latest instruction between the two nodes
  std::int64_t heard_ns = 0;                             // time of the latest instruction of the JCP
  std::optional<std::int64_t> certain_ns;                // the JCP has certainly sent an instruction after this time
  bool reloaded = false;                                 // NODE_RELOAD was seen: STATE_REQ may come at once (5.7.4)
  bool complete = true;                                  // nothing was forgotten
  bool knows_ctids = true;                               // no confirmation was skipped

  // The active task with this LTID; nullptr if none is known.
  const ManagedTask* find_active(std::uint64_t ltid) const;
  // Return true if the node has registered an active task by TASK_REG that has this CTID, or that belongs to the job
  // whose first task has this CTID.
  bool has_registered(std::uint64_t ctid) const;
  bool has_registered_for(std::uint64_t first_ctid) const;
  // Returns true if an active registered task of the node has this CTID, whatever its job.
  bool has_task_with(std::uint64_t ctid) const;
  std::size_t active_tasks() const;
  // Returns true if the JCP was silent for so long that the node may have ended its tasks without a word (5.7.2).
  bool may_have_given_up(std::int64_t now_ns) const;
  void keep(std::uint32_t req_id, const ManagementRequest& request);
  void keep(std::uint64_t ltid, const ManagedTask& task);
  void keep_asked(std::uint64_t ltid, std::int64_t time_ns);
  // Returns true if the node has ended the task with this CTID itself and has had no other task with it.
  bool has_ended(std::uint64_t ctid) const;
  // Notes that the node ends the task; called before end_task().
  void note_end_by_node(std::uint64_t ctid, const MessageMark& end);
  // The node has no task with this LTID, so the JCP asks for the tasks that were confirmed before the STATE_REQ before
  // the latest one (5.7.4).
  void note_reload(std::uint64_t ltid, const MessageMark& where);
  // `is_here`: the end was on this connection.
  void end_task(std::uint64_t ctid, bool is_here);
  // Ends all tasks of the job.
  void end_job(std::uint64_t first_ctid, bool is_here);
  void end_ltid(std::uint64_t ltid, bool is_here);
  void end_all(bool is_here);
  // The JCP has reported that the job is completed.
  void report_job(std::uint64_t first_ctid);
  std::size_t memory() const;
};
inline constexpr std::size_t kMostManaged = 1024;  // entries of each kind for one node: requests, tasks, questions

struct ManagementAccount {
  std::array<ManagedNode, 2> nodes;
  ManagedNode& of(Side side) { return nodes[side == Side::a ? 0 : 1]; }
  const ManagedNode& of(Side side) const { return nodes[side == Side::a ? 0 : 1]; }
  // Called when the trace lacks something that was sent.
  void forget() {
    for (ManagedNode& node : nodes) {
      node = {};
      node.complete = false;
    }
  }
  std::size_t memory() const { return nodes[0].memory() + nodes[1].memory(); }
};

}  // namespace wirelaw::umsp
