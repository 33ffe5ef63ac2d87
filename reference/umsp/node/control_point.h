// SPDX-License-Identifier: Apache-2.0
// The Job Control Point of a node (RFC 3018 5 to 5.7, without sessions): it assigns GJIDs and CTIDs, records the tasks
// of a job and their nodes, notifies the nodes of ends, and watches whether they are active.
//
// It does no I/O and reads no clock: it gets instructions and instants, and sends drafts to the Outbox. Instructions of
// other nodes cost no more than the limits in its options. Those without an effect in the text (an end that its sender
// may not report, an answer without a request) are ignored. Its own node is one of the nodes of a job: that node calls
// functions instead of sending, and gets with next_notice() what it would have received.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/endpoint.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/management.h"
#include "reference/umsp/node/job_codes.h"
#include "reference/umsp/node/node_address.h"
#include "reference/umsp/node/outbox.h"

namespace wirelaw::umsp {

struct ControlOptions {
  NodeAddress address = {};
  NodeFormat format = {};
  std::uint64_t first_ctid = 1;
  bool accepts_jobs = true;  // from other nodes; else CONTROL_REQ is refused
  // The inaction period for a node that names none, in half seconds; 0: such nodes are not watched (5.7.1).
  std::uint16_t inaction = 0;
  // Periods that a node may name. It may always name 0, which means that it is not watched.
  std::uint16_t least_inaction = 1;
  std::uint16_t most_inaction = 0xffff;
  std::uint16_t most_life_time = 0;  // seconds; 0: jobs may live for ever
  // Length of the other nodes' LTIDs in TASK_REG, which does not show it (UMSP/A21).
  std::uint8_t ltid_octets = 4;
  // Limits; requests that would exceed them are refused.
  std::size_t jobs = 256;
  std::size_t tasks = 4096;
  std::size_t nodes = 1024;
};

// The remains of a JCP that ended without a notice to its nodes: its GJIDs may still be in use (5.7).
struct FormerControl {
  std::uint64_t first_ctid = 1;  // first CTID that it may have assigned
  std::uint64_t last_ctid = 0;   // less than the first: none
  std::uint16_t longest_inaction = 0;
  bool assigned_any() const { return first_ctid <= last_ctid; }
};

// A notice for this node, instead of TASK_TERMINATE_INFO or JOB_COMPLETED_INFO.
struct OwnNotice {
  Identifier gjid;
  Codes codes;
  std::optional<Identifier> ended_task = {};  // nothing: the job has ended
};

class ControlPoint {
 public:
  struct Registration {
    TaskId ctid;
    std::string name;  // name of the job; empty if it has none
  };

  // `former` is from before a restart at `now`: new GJIDs differ from its GJIDs.
  ControlPoint(const ControlOptions& options, Outbox& outbox, FormerControl former = {}, Instant now = {});
  virtual ~ControlPoint() = default;

  // Handles CONTROL_REQ, TASK_REG, TASK_CHK, TASK_TERMINATE, JOB_COMPLETED, TASK_STATE and NODE_RELOAD over TCP;
  // ignores others. Counts as activity of the node.
  void receive(NodeAddress from, LinkId on, const Instruction& instruction, Instant now);
  // Another instruction was exchanged with that node: activity (5.7.2).
  void noted(NodeAddress node, Instant now);
  // No connection to that node is left, which says nothing about its tasks (5.7).
  virtual void unlinked(NodeAddress node, Instant now);
  void advance(Instant now);
  std::optional<Instant> deadline() const;

  // --- calls of the own node
  // Begins a job of this node, controlled here.
  tl::expected<Identifier, Codes> begin_own_job(TaskId ltid, std::string_view name, std::uint16_t life_time,
                                                Instant now);
  // Replaces TASK_REG and TASK_CHK for a SESSION_OPEN that this node got from the task `opener`.
  tl::expected<Registration, Codes> register_own_task(const Identifier& gjid, const Identifier& opener, TaskId ltid,
                                                      Instant now);
  std::optional<Codes> check_own_task(const Identifier& gjid, const Identifier& opener, TaskId ltid, Instant now);
  void terminate_own_task(const Identifier& gjid, Codes codes, Instant now);
  void complete_own_job(const Identifier& gjid, Codes codes, Instant now);
  // This node has opened a session of the job at `node`, which needs no permission then (5.2). The table records that
  // the node executes the job, and the LTID if the handshake has shown it. The node does not know its CTID, so that it
  // is not asked for its state and cannot report its end. `again`: the session replaces another one of the job at the
  // node, which ends its previous task (5.3.1).
  void register_opened_by_jcp(const Identifier& gjid, NodeAddress node, std::optional<TaskId> ltid, bool again,
                              Instant now);
  // The task of such a node has ended, as its sessions show.
  void ended_on(const Identifier& gjid, NodeAddress node, Codes codes, Instant now);
  // Sends JOB_COMPLETED_INFO to all nodes: then the GJIDs are free after a restart (5.7).
  void shut_down(Instant now);
  bool next_notice(OwnNotice& out);

  // State for a later ControlPoint if this one ends without shut_down().
  FormerControl former() const;
  std::size_t jobs() const { return jobs_.size(); }
  std::size_t tasks() const { return tasks_.size(); }
  const ControlOptions& options() const { return options_; }

 protected:
  // The order of events that affect tasks, and of questions to a node, because instants may be equal.
  using Order = std::uint64_t;

  struct Job {
    Identifier gjid;
    std::string name;
    NodeAddress initiator;
    std::optional<Instant> ends = {};    // according to JOB_LIFE_TIME
    std::set<std::uint64_t> tasks = {};  // CTIDs
  };
  struct Task {
    std::uint64_t ctid = 0;
    std::uint64_t job = 0;  // CTID of the job's first task
    NodeAddress node;
    std::optional<TaskId> ltid = {};  // may be unknown if the JCP has opened the session
    bool knows_ctid = true;           // its node knows the CTID
    Order begun = 0;
    std::optional<Instant> asked = {};  // time of a STATE_REQ without an answer
    bool is_first() const { return ctid == job; }
  };
  // The remaining work after NODE_RELOAD (5.7.4, items 2 and 3): tasks that have begun between the two are asked for
  // their state.
  struct Reload {
    Instant at;
    Order after = 0;
    Order before = 0;
  };
  struct Node {
    std::uint16_t period = 0;  // half seconds; 0: not watched
    Instant active{};          // time of the last instruction exchanged with this node
    Order last = 0;            // last STATE_REQ
    Order last_but_one = 0;
    Instant last_at{};
    std::optional<Reload> reload = {};
    std::set<std::uint64_t> tasks = {};  // CTIDs
  };
  // Why a job ends, which decides which nodes are notified.
  enum class Cause : std::uint8_t { completed, initiator_gone, by_jcp };

  // --- steps, which faults override
  // Everything is sent with this function.
  virtual void send(NodeAddress to, Draft draft, std::optional<LinkId> on);
  // Returns true if the instruction is accepted at all.
  virtual bool takes(NodeAddress, LinkId, const Instruction&) { return true; }
  // Requests: control_requests.cc.
  virtual std::optional<ControlReject> refuse_job(const ControlReq& request) const;
  virtual bool fits(std::uint16_t period) const {
    return period == 0 || (period >= options_.least_inaction && period <= options_.most_inaction);
  }
  virtual std::optional<std::uint64_t> find_active_job(NodeAddress from, const TaskId& ltid) const;
  virtual void end_former_job(std::uint64_t job) {
    end_job(job, codes_of(JobCode::job_begun_again), Cause::initiator_gone);
  }
  virtual std::optional<Instant> end_of_life(std::uint16_t life_time) const;
  virtual Identifier gjid_of(std::uint64_t ctid) const {
    return identifier_of(options_.format, options_.address, ctid);
  }
  virtual bool is_kept_apart(std::uint64_t ctid) const;
  virtual void end_former_tasks(NodeAddress from) { end_tasks_on(from, codes_of(JobCode::node_reloaded)); }
  bool knows_job(std::uint64_t ctid) const;
  virtual bool knows_opener(std::uint64_t job, const Identifier& gtid) const;
  virtual bool knows_task(NodeAddress node, const TaskId& ltid) const;
  virtual const Task* find_checked(std::uint64_t job, NodeAddress node, const TaskId& ltid) const;
  virtual std::string name_for(const Job& job) const { return job.name; }
  // The period of a node, which has named one or none.
  virtual std::uint16_t period_for(std::optional<std::uint16_t> named) const {
    return named.value_or(options_.inaction);
  }
  // Ends: control_ends.cc.
  virtual std::vector<NodeAddress> nodes_of(const Job& job, std::optional<NodeAddress> without) const;
  virtual bool needs_notice(const Codes& codes) const { return codes.basic != 0; }
  virtual Identifier gtid_of_ended(const Task& task) const;
  virtual void notify_task_end(const Task& task, const Codes& codes);
  virtual void notify_job_end(const Job& job, const Codes& codes, Cause cause);
  virtual void on_task_terminate(NodeAddress from, const TaskTerminate& notice);
  void on_job_completed(NodeAddress from, const JobCompleted& notice);
  virtual void on_life_over(std::uint64_t job) { end_job(job, codes_of(JobCode::life_time_over), Cause::by_jcp); }
  virtual void end_all_jobs() {
    while (!jobs_.empty()) end_job(jobs_.begin()->first, codes_of(JobCode::jcp_ends), Cause::by_jcp);
  }
  // Activity: control_activity.cc.
  virtual std::optional<Instant> question_due(const Node& node) const;
  const Task* choose_asked(const Node& node) const;
  virtual Instant answer_due(const Node& node, Instant asked) const;
  virtual void on_no_answer(NodeAddress address) { end_tasks_on(address, codes_of(JobCode::node_silent)); }
  virtual void on_task_state(NodeAddress from, const TaskState& answer);
  void on_node_reload(NodeAddress from, const NodeReload& answer);
  virtual void begin_reload(Node& node);
  virtual void finish_reload(Node& node);

  // --- helpers of the steps
  // `notify`: send a notice to the other nodes. A job ends with its first task.
  void end_task(std::uint64_t ctid, const Codes& codes, bool notify = true);
  void end_tasks_on(NodeAddress address, const Codes& codes);
  void end_job(std::uint64_t ctid, const Codes& codes, Cause cause);
  void notify(NodeAddress to, const TaskTerminateInfo& notice, const Job& job);
  void notify(NodeAddress to, const JobCompletedInfo& notice);
  void ask(std::uint64_t ctid);
  void forget_questions(NodeAddress address);
  void ask_between(const Node& node, Order after, Order before);
  Instant now() const { return now_; }
  const Job* job_of(std::uint64_t ctid) const;
  const Task* find_on(const Job& job, NodeAddress node) const;
  const std::map<std::uint64_t, Job>& all_jobs() const { return jobs_; }
  const std::map<std::uint64_t, Task>& all_tasks() const { return tasks_; }

 private:
  void on_control_req(NodeAddress from, LinkId on, const Instruction& instruction);
  void on_task_reg(NodeAddress from, LinkId on, const Instruction& instruction);
  void on_task_chk(NodeAddress from, LinkId on, const Instruction& instruction);
  void answer(NodeAddress to, LinkId on, const Instruction& request, Draft draft);
  std::uint16_t nearest_period(std::uint16_t named) const;
  std::optional<Codes> refuse_registration(NodeAddress from, const TaskReg& request) const;
  std::uint64_t register_task(NodeAddress from, const TaskReg& request, std::uint64_t ctid);
  bool has_room(NodeAddress node) const;
  std::optional<std::uint64_t> new_ctid();
  tl::expected<Identifier, Codes> add_job(NodeAddress initiator, const TaskId& ltid, std::string_view name,
                                          std::uint16_t life_time);
  void add_task(Task task);
  void remove_task(std::uint64_t ctid);
  void set_period(NodeAddress node, std::uint16_t period);
  Job* find_job(const Identifier& gjid);
  Task* find_asked(NodeAddress node, const TaskId& ltid);
  bool is_own(NodeAddress node) const { return node == options_.address; }
  void watch(NodeAddress address);
  std::optional<Instant> first_answer_due(const Node& node) const;

  ControlOptions options_;
  Outbox& outbox_;
  FormerControl former_;
  Instant former_until_;
  Instant now_;
  std::uint64_t next_ctid_;
  FormerControl assigned_;  // by this control point
  Order order_ = 0;
  std::map<std::uint64_t, Job> jobs_;    // by the CTID of the first task
  std::map<std::uint64_t, Task> tasks_;  // by CTID
  std::map<NodeAddress, Node> nodes_;    // nodes with tasks, except the own one
  std::deque<OwnNotice> notices_;
};

}  // namespace wirelaw::umsp
