// SPDX-License-Identifier: Apache-2.0
// The jobs of a capture or of a case, over the connections of all its nodes (RFC 3018 5): what nodes ask of a JCP and
// what it answers, which sessions are asked for, and of which ends the nodes of a job are still to be notified. A node
// is an IPv4 address (3.4); a job is known by its JCP and the CTID of its first task, which make the GJID.
//
// Only connections from their first octet on count: once one of them is broken, nothing is concluded of its two nodes
// any more. What is absent here rests on absence, as ever. Bounded; what does not fit ends all conclusions.
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

// The node that an identifier names; nothing where its format is of another network.
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

// What ends a job or a task for a node.
struct JobEnd {
  std::uint64_t frame = 0;
  std::int64_t time_ns = 0;
};

// What a node has said of its task.
struct TaskReport {
  JobEnd where;
  std::uint64_t state = 0;
};

// A task that its JCP has confirmed.
struct JobTask {
  JobName job;
  JobNode node;
  std::uint64_t ltid = 0, ctid = 0;
  bool is_first = false;              // its job's
  bool ended = false;                 // by TASK_TERMINATE, or with its job
  std::optional<std::string> name;    // of the job, as the node has given it, or got it with TASK_CONFIRM
  std::optional<EndCodes> end_codes;  // of TASK_TERMINATE
  std::uint64_t end_frame = 0;
  std::int64_t end_ns = 0;
  std::optional<TaskReport> report = {};  // its latest TASK_STATE
  std::int64_t begun_ns = 0;              // when it was confirmed
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
  std::uint64_t frame = 0;  // of TASK_REG
};

// What a JCP owes a node of a job.
struct JobNotice {
  JobName job;
  JobNode to;
  std::optional<JobNode> of;  // whose task has ended; nothing: the job has
  std::uint64_t ltid = 0;     // of that task
  std::int64_t since_ns = 0;  // when the JCP was told
  std::uint64_t frame = 0;    // by this
  bool others_were = false;   // notified of the same end
  bool begun_again = false;   // the job's node has begun another one with its LTID
};

class Jobs final : public Association {
 public:
  static constexpr std::size_t kMost = 4096;  // tasks, openings, questions and notices each

  bool has_flows() const override { return flows_ != 0; }
  void enter(bool live) {
    ++flows_;
    is_live_ = live;
  }
  // Seen by a case, which may not have looked yet at what a node has sent elsewhere: nothing that may be there is
  // missed.
  bool is_live() const { return is_live_; }
  void leave() { --flows_; }
  // Something that two nodes have sent each other is missing.
  void lose(const JobNode& one, const JobNode& other);
  bool is_complete() const { return complete_; }
  // Nothing that the node has sent or got is missing, as far as is known.
  bool knows(const JobNode& node) const { return complete_ && !lost_.contains(key(node)); }

  // --- what is sent
  void note_pair(const JobNode& one, const JobNode& other);
  void note_job(const JobName& job, const JobNode& initiator, std::uint64_t ltid,
                const std::optional<std::string>& name = {});
  // The node has begun a job with this LTID again: an active one with it is over, and its other nodes are to be
  // notified (5.1.1).
  void begin_again(const JobNode& jcp, const JobNode& node, std::uint64_t ltid, std::int64_t now_ns,
                   std::uint64_t frame);
  // Which node has the job now is not known.
  void forget_job(const JobName& job) { begun_.erase(key(job)); }
  void note_opening(const JobOpening& opening);
  // A STATE_REQ waits for the node's answer: it may be off. Whoever says anything is not; but where that is not the
  // answer, it may have been off before, and its tasks may be over.
  void note_asked(const JobNode& node);
  void note_word_of(const JobNode& node, bool answers);
  void note_question(const JobName& job, const JobNode& node, std::uint64_t frame);
  void note_answer(const JobName& job, const JobNode& node, bool confirmed);
  void note_task(const JobTask& task);
  // Every task of the node under the JCP is over: it was reloaded.
  void end_tasks_of(const JobNode& jcp, const JobNode& node);
  // The node's task with this CTID has ended; the other nodes are to be notified where `codes` ask for it (5.5.1).
  void end_task(const JobNode& jcp, const JobNode& node, std::uint64_t ctid, const EndCodes& codes, std::int64_t now_ns,
                std::uint64_t frame);
  void end_job(const JobName& job, const JobNode& by, const std::optional<EndCodes>& codes, std::int64_t now_ns,
               std::uint64_t frame);
  // The JCP has notified `to` of the end of a task, or of a job.
  void notified_of_task(const JobNode& jcp, const JobNode& to, const JobNode& of, std::uint64_t ltid);
  void notified_of_job(const JobName& job, const JobNode& to);
  // The JCP has sent JOB_COMPLETED_INFO to the node: for all that its sender knows, the node has no session of the job
  // from then on (5.6.2).
  void note_told(const JobName& job, const JobNode& to, const JobEnd& end);

  // TASK_STATE: how the node's task with this CTID is.
  void note_state(const JobNode& jcp, const JobNode& node, std::uint64_t ctid, const TaskReport& report);

  // --- what is known
  // The latest TASK_STATE of the node's task of the job.
  std::optional<TaskReport> report_of(const JobNode& node, const JobName& job) const;
  // The beginning of the job was seen: all its tasks are here, where their connections are.
  bool has_begun(const JobName& job) const { return begun_.contains(key(job)); }
  // Both have spoken to each other, or to `more` others besides.
  bool have_met(const JobNode& one, const JobNode& other) const;
  bool has_peers(const JobNode& node, std::size_t least) const;
  // The openings at a node that name this JCP.
  std::vector<JobOpening> openings_at(const JobNode& node, const JobNode& jcp) const;
  const JobQuestion* question(const JobName& job, const JobNode& node) const;
  // The task with this CTID, active, of another node than this one.
  const JobTask* active_elsewhere(const JobNode& jcp, std::uint64_t ctid, const JobNode& node) const;
  // Of a node under a JCP, by LTID: the latest one.
  const JobTask* task(const JobNode& jcp, const JobNode& node, std::uint64_t ltid) const;
  bool has_tasks(const JobNode& jcp, const JobNode& node) const;
  // The name that an active task of the job has it by; nothing where none is known.
  std::optional<std::string> name_of(const JobName& job) const;
  // The node that has initiated the job, if that was seen.
  std::optional<JobNode> initiator_of(const JobName& job) const;
  // The initiator's codes of a job that it has completed.
  std::optional<EndCodes> completion(const JobName& job) const;
  // Where the node has completed the job that it has initiated.
  std::optional<JobEnd> completed_by(const JobNode& node, const JobName& job) const;
  // Where the JCP has last told the node that the job is completed.
  std::optional<JobEnd> told(const JobName& job, const JobNode& node) const;
  // Where the node has ended its task of the job; nothing if it has another one.
  std::optional<JobEnd> task_ended_by(const JobNode& node, const JobName& job) const;
  // A task of the job was confirmed to the node later than this.
  bool has_begun_since(const JobName& job, const JobNode& node, std::int64_t time_ns) const;
  // Something before has named the job: CONTROL_CONFIRM, SESSION_OPEN or TASK_REG.
  bool is_named(const JobName& job) const;
  // The node's active job of this GJID, with another LTID than this one.
  const JobTask* active_job(const JobName& job, const JobNode& node, std::uint64_t ltid) const;
  // Those that the JCP owes this node.
  std::vector<JobNotice> notices(const JobNode& jcp, const JobNode& to) const;
  void forget_notices(const JobNode& jcp, const JobNode& to);

  std::size_t memory() const;

 private:
  using NodeKey = std::array<Octet, 16>;
  using JobKeyOfNodes = std::pair<NodeKey, std::uint64_t>;  // the JCP, and the CTID of the first task
  static NodeKey key(const JobNode& node) { return node.as_ipv6(); }
  static JobKeyOfNodes key(const JobName& job) { return {key(job.jcp), job.task}; }
  // Whether there is room for one more of what has `size`.
  bool has_room(std::size_t size) {
    if (size >= kMost) complete_ = false;
    return size < kMost;
  }
  void owe(const JobTask& to, const std::optional<JobTask>& of, std::int64_t now_ns, std::uint64_t frame);

  // A job whose beginning was seen.
  struct Begun {
    JobNode initiator;
    std::optional<EndCodes> codes;  // of JOB_COMPLETED; nothing: not known, or there were several
    std::optional<JobEnd> completed = {};
  };

  std::size_t flows_ = 0;
  bool complete_ = true;
  bool is_live_ = false;
  std::map<NodeKey, std::set<NodeKey>> peers_;
  std::set<NodeKey> asked_;
  std::set<NodeKey> lost_;  // of nodes: something that they have sent or got is missing
  std::map<JobKeyOfNodes, Begun> begun_;
  std::vector<JobOpening> openings_;  // in their order
  std::map<std::pair<JobKeyOfNodes, NodeKey>, JobQuestion> questions_;
  std::map<std::pair<JobKeyOfNodes, NodeKey>, JobEnd> told_;
  std::map<std::tuple<NodeKey, NodeKey, std::uint64_t>, JobTask> tasks_;  // by JCP, node and LTID
  std::vector<JobNotice> notices_;
};

}  // namespace wirelaw::umsp
