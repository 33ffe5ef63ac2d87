// SPDX-License-Identifier: Apache-2.0
// The jobs and tasks of a node that executes or initiates them (RFC 3018 5 to 5.7, without sessions). It asks JCPs for
// control and for permissions, answers their questions, and ends tasks at their request or the application's.
//
// It does no I/O and reads no clock. Answers count only from the node that was asked, notices only from the JCP of the
// job. If the JCP is the own node, it calls the ControlPoint of that node, without instructions.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/endpoint.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/management.h"
#include "reference/umsp/node/control_point.h"
#include "reference/umsp/node/job_codes.h"
#include "reference/umsp/node/node_address.h"
#include "reference/umsp/node/outbox.h"
#include "reference/umsp/node/task_event.h"

namespace wirelaw::umsp {

struct TaskOptions {
  NodeAddress address = {};
  NodeFormat format = {};
  std::uint64_t first_ltid = 1;
  // _INACTION_TIME in TASK_REG, if the node has no other task under that JCP, in half seconds; 0: not watched. Empty:
  // the JCP chooses (5.7.1).
  std::optional<std::uint16_t> inaction = {};
  bool checks = false;       // uses TASK_CHK for a node that opens a session of an existing task (5.2.4)
  bool watches_jcp = false;  // treats a JCP that is silent for two inaction periods as ended (5.7.2)
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);  // for CONTROL_REQ, TASK_REG and TASK_CHK (5)
  // Limits; what would exceed them is refused, or the oldest entry is forgotten.
  std::size_t tasks = 1024;     // one JCP may have half of them; idle ones are ended
  std::size_t openings = 1024;  // waiting sessions
  std::size_t peers = 256;      // GTIDs of other nodes' tasks that a task knows
  std::size_t completed = 64;   // ended tasks about which questions are still answered (5.7.3, state 4)
};

class Tasks {
 public:
  // A task of this node, as visible to the node and its sessions.
  struct Task {
    std::uint64_t ltid = 0;
    Identifier gjid = {};  // void until CONTROL_CONFIRM gives it
    NodeAddress jcp;
    bool initiates = false;  // the job belongs to this node
    bool active = false;     // the JCP has allowed it
    std::string name = {};
    std::optional<TaskId> ctid = {};  // nothing: unknown, since the JCP has opened the session itself
    std::optional<std::uint16_t> period = {};
    bool has_sessions = false;
    bool had_sessions = false;
    bool has_resources = false;
    std::vector<Identifier> peers = {};  // GTIDs
  };

  // `own` is the JCP of this node; it outlives the tasks.
  Tasks(const TaskOptions& options, Outbox& outbox, ControlPoint& own);
  virtual ~Tasks() = default;

  // --- input from other nodes
  // SESSION_OPEN of a new session, or of one that is opened again.
  Admission admit(const Opening& opening, Instant now);
  // Cancels a waiting session, which gets no event.
  void withdraw(OpeningId opening);
  // The session that was being opened for this task has failed, and the task has no other one. A task that no JCP knows
  // ends with it.
  void opening_failed(std::uint64_t ltid);
  // Handles CONTROL_CONFIRM, CONTROL_REJECT, TASK_CONFIRM, TASK_REJECT, TASK_TERMINATE_INFO, JOB_COMPLETED_INFO and
  // STATE_REQ over TCP; ignores others.
  void receive(NodeAddress from, LinkId on, const Instruction& instruction, Instant now);
  // Another instruction has arrived from that node (5.7.2).
  void noted(NodeAddress node, Instant now);
  void advance(Instant now);
  std::optional<Instant> deadline() const;

  // --- calls of the application
  // Returns the LTID of the job's task; job_started or job_refused follows. Returns nothing if there is no room.
  std::optional<std::uint64_t> begin_job(NodeAddress jcp, std::uint16_t life_time, std::string_view name,
                                         std::optional<std::uint16_t> inaction, Instant now);
  // Completes a job of this node: sends JOB_COMPLETED and reports task_ended. Returns false if the job is unknown.
  bool complete_job(const Identifier& gjid, Codes codes, Instant now);
  // Sends TASK_TERMINATE and reports task_ended. A basic code of 0 means that pointers cannot refer to the task
  // (5.5.1).
  bool terminate_task(const Identifier& gjid, Codes codes, Instant now);

  // --- calls of the node
  // Set whether a task has sessions and resources, for its answers to STATE_REQ (5.7.3).
  void set_sessions(std::uint64_t ltid, bool any);
  void set_resources(std::uint64_t ltid, bool any);
  // The task at the other end of a session, with which TASK_TERMINATE_INFO identifies the job.
  void add_peer(std::uint64_t ltid, NodeAddress node, TaskId peer_ltid);
  const Task* find(const Identifier& gjid) const;  // only active tasks
  const Task* find(std::uint64_t ltid) const;
  bool next_event(TaskEvent& out);

 protected:
  // A CONTROL_REQ, TASK_REG or TASK_CHK without an answer.
  struct Request {
    enum class Kind : std::uint8_t { control, registration, check } kind{};
    NodeAddress jcp;
    std::uint64_t ltid = 0;
    OpeningId opening = 0;  // whose GTID it names
    Instant until{};
    std::optional<std::uint16_t> inaction = {};  // as named in it
  };
  struct Waiting {
    std::uint64_t ltid = 0;
    Opening opening;
  };
  // An ended task about which questions are still answered.
  struct Completed {
    NodeAddress jcp;
    std::uint64_t ltid = 0;
    TaskId ctid;
  };

  // --- steps, which faults override
  // All instructions are sent with the first function, and all events reported with the second.
  virtual void send(NodeAddress to, Draft draft, std::optional<LinkId> on) { outbox_.send(to, std::move(draft), on); }
  virtual void report(TaskEvent event) { events_.push_back(std::move(event)); }
  // Returns true if the instruction is accepted at all.
  virtual bool takes(NodeAddress, LinkId, const Instruction&) { return true; }
  // Admissions: task_admissions.cc.
  std::optional<NodeAddress> jcp_of(const Identifier& gjid) const;
  virtual bool needs_sanction(const Opening& opening, NodeAddress jcp) const { return opening.opener != jcp; }
  virtual bool refuses_again(const Opening& opening, NodeAddress jcp) const { return opening.opener != jcp; }
  virtual bool ends_former_task(const Opening& opening, NodeAddress jcp) const { return opening.opener == jcp; }
  virtual bool begins_unsanctioned() const { return false; }  // while it asks the JCP
  virtual NodeAddress addressee_of_registration(const Task& task, const Opening&) const { return task.jcp; }
  virtual std::uint64_t registered_ctid(const Task& task) const { return task.gjid.task; }
  virtual Identifier registered_gtid(const Opening& opening) const {
    return gtid_of(opening.opener, opening.opener_ltid);
  }
  virtual std::optional<std::uint16_t> named_inaction(const Task& task) const;
  bool needs_check(const Opening& opening, NodeAddress jcp) const;
  virtual std::chrono::nanoseconds timeout() const { return options_.timeout; }
  // Answers: task_answers.cc.
  // Either OPCODE is accepted (UMSP/A1).
  virtual std::optional<ControlReject> read_rejection(const Instruction& instruction) const {
    return ControlReject::read(instruction);
  }
  bool is_answered(const Request& request, NodeAddress from, const Instruction& answer) const;
  virtual void on_control_confirm(const Request& request, const ControlConfirm& answer);
  void on_control_reject(const Request& request, const ControlReject& answer, std::optional<std::uint16_t> inaction);
  void on_task_confirm(const Request& request, const TaskConfirm& answer, const Instruction& instruction);
  virtual void on_task_reject(const Request& request, const Codes& codes);
  void on_no_answer(const Request& request);
  void on_task_terminate_info(NodeAddress from, const TaskTerminateInfo& notice);
  void on_job_completed_info(NodeAddress from, const JobCompletedInfo& notice);
  virtual void on_state_req(NodeAddress from, LinkId on, const StateReq& question);
  TaskCondition condition_of(const Task& task) const;
  virtual std::optional<Instant> jcp_silent_at(const Task& task) const;
  // Ends: tasks.cc.
  virtual std::optional<TaskId> terminated_ctid(const Task& task) const { return task.ctid; }
  TaskId completed_ctid(const Task& task) const;
  NodeAddress addressee_of_end(const Task& task) const;
  // A notice of the JCP ends the task everywhere: nothing has to be sent (5.6.2).
  virtual bool abends_sessions(TaskEnd end) const { return end == TaskEnd::terminated || end == TaskEnd::completed; }

  // --- helpers of the steps
  void end_task(std::uint64_t ltid, TaskEnd end, const Codes& codes);
  void end_node(const Task& task, const Identifier& gtid, const Codes& codes);
  void refuse_waiting(std::uint64_t ltid, const Codes& codes);
  void register_task(const Task& task, OpeningId waiting);
  // A CTID in the form that the JCP of this GJID uses.
  static TaskId ctid_of(const Identifier& gjid, std::uint64_t number);
  Instant now() const { return now_; }
  const std::map<std::uint64_t, Task>& all_tasks() const { return tasks_; }
  const TaskOptions& options() const { return options_; }

 private:
  std::optional<std::uint64_t> new_ltid();
  Task* add_task(const Identifier& gjid, NodeAddress jcp);
  bool has_room(NodeAddress jcp) const;
  bool is_waited_for(std::uint64_t ltid) const;  // an opening, or an answer of its JCP, is outstanding
  // Makes room by ending the oldest task that has had sessions and has none now; one of this JCP if that has its share.
  void make_room(NodeAddress jcp);
  void terminate(const Task& task, const Codes& codes);
  void activate(Task& task);
  Task* find_task(const Identifier& gjid);
  void remember(Task& task, const Identifier& peer);
  void remove_task(std::uint64_t ltid);
  Admission admit_to(Task& task, const Opening& opening);
  Admission admit_here(const Opening& opening);
  Admission wait(Task& task, const Opening& opening, Request::Kind kind);
  void check(const Task& task, OpeningId waiting);
  void request(Draft draft, Request request);
  bool take_request(NodeAddress from, const Instruction& answer, Request::Kind kind, Request& out);
  void on_control_answer(NodeAddress from, const Instruction& instruction);
  void on_task_answer(NodeAddress from, const Instruction& instruction);
  void admit_waiting(std::uint64_t ltid, OpeningId sanctioned);
  bool refuse_one(OpeningId opening, const Codes& codes);
  void begin_here(Task& task, std::uint16_t life_time);
  void collect_notices();

  TaskOptions options_;
  Outbox& outbox_;
  ControlPoint& own_;
  Instant now_{};
  std::uint64_t next_ltid_;
  OpeningId next_opening_ = 1;
  std::map<std::uint64_t, Task> tasks_;        // by LTID
  std::map<std::uint32_t, Request> requests_;  // by REQ_ID
  std::map<OpeningId, Waiting> waiting_;
  std::map<NodeAddress, Instant> jcps_;  // time of the last instruction from each
  std::deque<Completed> completed_;
  std::deque<TaskEvent> events_;
};

}  // namespace wirelaw::umsp
