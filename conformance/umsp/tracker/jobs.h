// SPDX-License-Identifier: Apache-2.0
// The jobs of a capture or of a case, over the connections of all its nodes (RFC 3018 5): requests of nodes to a JCP
// with its answers, the sessions requested, and notices of an end that are still due. A node is an IPv4 address (3.4).
// A job is identified by its JCP and the CTID of its first task, which make up the GJID.
//
// Only connections seen from their first octet on count. Once one of them has a gap, nothing more is concluded about
// its two nodes. A missing instruction has only Evidence::absence, as everywhere. The memory is bounded; if it
// overflows, no further conclusions are drawn.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/association.h"
#include "reference/umsp/address.h"

namespace wirelaw::umsp {

using JobNode = wirelaw::Address;

// The node that an identifier names; empty if it is an address of another network.
std::optional<JobNode> job_node_of(const Identifier& identifier);

struct JobName {
  JobNode jcp;
  std::uint64_t task = 0;  // the CTID of the first task
  bool operator==(const JobName&) const = default;
};

struct EndCodes {
  std::uint64_t basic = 0, additional = 0;
  bool operator==(const EndCodes&) const = default;
};

// The position at which a job or a task ended for a node.
struct JobEnd {
  std::uint64_t frame = 0;
  std::int64_t time_ns = 0;
  // For an end that another node reports: the time at which the addressee had received the report, if that is proven.
  std::optional<std::int64_t> received_ns = {};
};

// A TASK_STATE of a node about its task.
struct TaskReport {
  JobEnd where;
  std::uint64_t state = 0;
  std::optional<std::int64_t> sent_after_ns = {};  // the node sent it after this time (knowledge.h)
};

// A task that its JCP has confirmed.
struct JobTask {
  JobName job;
  JobNode node;
  std::uint64_t ltid = 0, ctid = 0;
  bool is_first = false;              // the first task of its job
  bool ended = false;                 // ended by TASK_TERMINATE, or with its job
  std::optional<std::string> name;    // name of the job, sent by the node or received with TASK_CONFIRM
  std::optional<EndCodes> end_codes;  // codes of its TASK_TERMINATE
  std::uint64_t end_frame = 0;
  std::int64_t end_ns = 0;
  std::optional<TaskReport> report = {};  // its latest TASK_STATE
  std::optional<TaskReport> reload = {};  // its latest NODE_RELOAD
  std::int64_t begun_ns = 0;              // time of its confirmation
};

// The latest instruction that a node has sent in a session between VMs.
struct SessionWork {
  std::int64_t accepted_ns = 0;  // time at which the session was accepted
  std::int64_t time_ns = 0;
};

// SESSION_OPEN that begins a session.
struct JobOpening {
  JobName job;
  JobNode from, to;
  std::uint64_t ltid = 0;
  std::uint64_t frame = 0;
};

// A node's latest TASK_REG for a job.
struct JobQuestion {
  enum class State : std::uint8_t { waiting, confirmed, rejected } state = State::waiting;
  std::uint64_t frame = 0;  // frame of TASK_REG
};

// A notice that a JCP must send to a node of a job.
struct JobNotice {
  JobName job;
  JobNode to;
  std::optional<JobNode> of;  // the node whose task has ended; empty: the job has ended
  std::uint64_t ltid = 0;     // LTID of that task
  std::int64_t since_ns = 0;  // time at which the JCP was told
  std::uint64_t frame = 0;    // frame that told the JCP
  bool others_were = false;   // another node was notified of the same end
  bool begun_again = false;   // the node of the job has begun another job with the same LTID
};

class Jobs final : public Association {
 public:
  static constexpr std::size_t kMost = 4096;  // entries of each kind: tasks, openings, questions, notices

  bool has_flows() const override { return flows_ != 0; }
  void enter(bool live) {
    ++flows_;
    is_live_ = live;
  }
  // True in a case, which may not have read yet what a node has sent elsewhere. A missing instruction then proves
  // nothing.
  bool is_live() const { return is_live_; }
  void leave() { --flows_; }
  // Called when the trace lacks something between two nodes.
  void lose(const JobNode& one, const JobNode& other);
  bool is_complete() const { return complete_; }
  // Returns true if no instruction from or to the node is known to be missing.
  bool knows(const JobNode& node) const { return complete_ && !lost_.contains(key(node)); }

  // --- what is sent
  void note_pair(const JobNode& one, const JobNode& other);
  void note_job(const JobName& job, const JobNode& initiator, std::uint64_t ltid,
                const std::optional<std::string>& name = {});
  // The node has begun a job with this LTID again: an active job with it is over, and the JCP must notify its other
  // nodes (5.1.1).
  void begin_again(const JobNode& jcp, const JobNode& node, std::uint64_t ltid, std::int64_t now_ns,
                   std::uint64_t frame);
  // Called when the node that has the job is no longer known.
  void forget_job(const JobName& job) { begun_.erase(key(job)); }
  void note_opening(const JobOpening& opening);
  // A STATE_REQ waits for the node's answer, so the node may be off. A node that sends something is on. If that is not
  // the answer, the node may have been off before, and its tasks may be over.
  void note_asked(const JobNode& node);
  void note_word_of(const JobNode& node, bool answers);
  void note_question(const JobName& job, const JobNode& node, std::uint64_t frame);
  void note_answer(const JobName& job, const JobNode& node, bool confirmed);
  void note_task(const JobTask& task);
  // The node was reloaded, so all its tasks under the JCP are over.
  void end_tasks_of(const JobNode& jcp, const JobNode& node);
  // The node's task with this CTID has ended; the JCP must notify the other nodes if `codes` require it (5.5.1).
  void end_task(const JobNode& jcp, const JobNode& node, std::uint64_t ctid, const EndCodes& codes, std::int64_t now_ns,
                std::uint64_t frame);
  void end_job(const JobName& job, const JobNode& by, const std::optional<EndCodes>& codes, std::int64_t now_ns,
               std::uint64_t frame);
  // The JCP has notified `to` of the end of a task, or of a job.
  void notified_of_task(const JobNode& jcp, const JobNode& to, const JobNode& of, std::uint64_t ltid);
  void notified_of_job(const JobName& job, const JobNode& to);
  // The JCP has sent JOB_COMPLETED_INFO to the node. From then on the JCP must assume that the node has no session of
  // the job (5.6.2).
  void note_told(const JobName& job, const JobNode& to, const JobEnd& end);

  // The node has received what was sent to it at `sent_ns` about the end of the job. `now_ns`: when that is proven.
  void note_received(const JobName& job, const JobNode& by, std::int64_t sent_ns, std::int64_t now_ns);

  // The state in a TASK_STATE for the node's task with this CTID.
  void note_state(const JobNode& jcp, const JobNode& node, std::uint64_t ctid, const TaskReport& report);

  // NODE_RELOAD about the node's task with this LTID.
  void note_reload(const JobNode& jcp, const JobNode& node, std::uint64_t ltid, const TaskReport& report);
  // The node has sent any instruction, or one in a session.
  void note_sent(const JobNode& node, std::int64_t now_ns);
  void note_work(const JobNode& node, const SessionWork& work);
  // The JCP has assigned a GJID with its address.
  void note_format(const JobNode& jcp, const AddressFormat& format);

  // --- what is known
  // The latest TASK_STATE of the node's task of the job.
  std::optional<TaskReport> report_of(const JobNode& node, const JobName& job) const;
  // The latest NODE_RELOAD about a task of the job, if no other one was confirmed to the node since then.
  std::optional<TaskReport> reload_of(const JobNode& node, const JobName& job) const;
  std::optional<std::int64_t> latest_of(const JobNode& node) const;
  std::optional<SessionWork> work_of(const JobNode& node) const;
  // The address format of the GJIDs of the JCP; empty if it is unknown, or if there are several.
  std::optional<AddressFormat> format_of(const JobNode& jcp) const;
  // A task of the job was confirmed to the node, even if it has ended since then.
  bool has_had_task(const JobName& job, const JobNode& node) const;
  // The beginning of the job was seen, so all its tasks are known if their connections were captured.
  bool has_begun(const JobName& job) const { return begun_.contains(key(job)); }
  // have_met(): the two nodes had a connection. has_peers(): the node had connections with at least `least` nodes.
  bool have_met(const JobNode& one, const JobNode& other) const;
  bool has_peers(const JobNode& node, std::size_t least) const;
  // The openings at a node that name this JCP.
  std::vector<JobOpening> openings_at(const JobNode& node, const JobNode& jcp) const;
  const JobQuestion* question(const JobName& job, const JobNode& node) const;
  // An active task with this CTID of a node other than this one.
  const JobTask* active_elsewhere(const JobNode& jcp, std::uint64_t ctid, const JobNode& node) const;
  // The latest task of a node under a JCP with this LTID.
  const JobTask* task(const JobNode& jcp, const JobNode& node, std::uint64_t ltid) const;
  bool has_tasks(const JobNode& jcp, const JobNode& node) const;
  // The name of the job from one of its active tasks; empty if none is known.
  std::optional<std::string> name_of(const JobName& job) const;
  // The node that has initiated the job, if that was seen.
  std::optional<JobNode> initiator_of(const JobName& job) const;
  // The initiator's codes of a job that it has completed.
  std::optional<EndCodes> completion(const JobName& job) const;
  // The position at which the node completed the job that it had initiated.
  std::optional<JobEnd> completed_by(const JobNode& node, const JobName& job) const;
  // The position at which the JCP last told the node that the job is completed.
  std::optional<JobEnd> told(const JobName& job, const JobNode& node) const;
  // The position at which the node ended its task of the job; empty if it has another task.
  std::optional<JobEnd> task_ended_by(const JobNode& node, const JobName& job) const;
  // A task of the job was confirmed to the node later than this.
  bool has_begun_since(const JobName& job, const JobNode& node, std::int64_t time_ns) const;
  // Returns true if an earlier instruction named the job: CONTROL_CONFIRM, SESSION_OPEN or TASK_REG.
  bool is_named(const JobName& job) const;
  // The node's active job of this GJID, with another LTID than this one.
  const JobTask* active_job(const JobName& job, const JobNode& node, std::uint64_t ltid) const;
  // The notices that the JCP still has to send to this node.
  std::vector<JobNotice> notices(const JobNode& jcp, const JobNode& to) const;
  void forget_notices(const JobNode& jcp, const JobNode& to);

  std::size_t memory() const;

 private:
  using NodeKey = std::array<Octet, 16>;
  using JobKeyOfNodes = std::pair<NodeKey, std::uint64_t>;  // the JCP, and the CTID of the first task
  static NodeKey key(const JobNode& node) { return node.as_ipv6(); }
  static JobKeyOfNodes key(const JobName& job) { return {key(job.jcp), job.task}; }
  // Returns true if a container of this size may grow by one element.
  bool has_room(std::size_t size) {
    if (size >= kMost) complete_ = false;
    return size < kMost;
  }
  void owe(const JobTask& to, const std::optional<JobTask>& of, std::int64_t now_ns, std::uint64_t frame);

  // A job whose beginning was seen.
  struct Begun {
    JobNode initiator;
    std::optional<EndCodes> codes;  // codes of JOB_COMPLETED; empty: unknown, or there were several
    std::optional<JobEnd> completed = {};
  };

  std::size_t flows_ = 0;
  bool complete_ = true;
  bool is_live_ = false;
  std::map<NodeKey, std::set<NodeKey>> peers_;
  std::map<NodeKey, std::int64_t> sent_;
  std::map<NodeKey, SessionWork> work_;
  std::map<NodeKey, std::optional<AddressFormat>> formats_;  // empty: several
  std::set<NodeKey> asked_;
  std::set<NodeKey> lost_;  // nodes with a gap in what they sent or received
  std::map<JobKeyOfNodes, Begun> begun_;
  std::vector<JobOpening> openings_;  // in the order of the trace
  std::map<std::pair<JobKeyOfNodes, NodeKey>, JobQuestion> questions_;
  std::map<std::pair<JobKeyOfNodes, NodeKey>, JobEnd> told_;
  std::map<std::tuple<NodeKey, NodeKey, std::uint64_t>, JobTask> tasks_;  // by JCP, node and LTID
  std::vector<JobNotice> notices_;
};

}  // namespace wirelaw::umsp
