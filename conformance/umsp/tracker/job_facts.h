// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker states about instructions of job management (RFC 3018 5). The checks of the sections decide
// rules from them.
//
// A fact is stated whenever its rules apply, whether or not they were obeyed; an empty one says that it is unknown. A
// fact does not repeat operands of the instruction. `is_certain`: no other connection can explain a breach. `is_alone`:
// the same, because the two nodes have had only this connection, and all of it was seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/umsp/tracker/connection.h"
#include "conformance/umsp/tracker/jobs.h"

namespace wirelaw::umsp {

// --- what several sections judge
// An instruction in a session of a job or a task that has ended for its sender.
struct UseAfterEndFact {
  // Why the instruction was sent after the end.
  enum class Order : std::uint8_t {
    likely,           // much time has passed
    proven,           // answers or acknowledgments prove it
    same_connection,  // both were sent on this connection
  };
  std::uint64_t frame = 0;  // the frame of the end
  Order order = Order::likely;
};

// A node ends a task or a job.
struct EndedOnceFact {
  bool is_again = false;  // it has ended it before, and no task was confirmed with that CTID since then
  bool is_certain = false;
};

// An answer to CONTROL_REQ, TASK_REG or TASK_CHK.
struct AnswerFact {
  enum class Match : std::uint8_t {
    unknown,
    none,         // no such request waits
    other_waits,  // a request with another REQ_ID waits
    wrong_kind,   // the request has another kind of answer
    again,        // the request was answered before
    right,
  };
  Match match = Match::unknown;
  const ManagementRequest* request = nullptr;  // set if it is of wrong kind, answered before, or right

  const ManagementRequest* answered() const { return match == Match::right ? request : nullptr; }
};

// --- 5 and 5.1: jobs
struct ManagementFacts {
  std::optional<AddressFormat> jcp_format = {};  // address format of the JCP that has assigned the CTID
  bool is_format_elsewhere = false;              // only another connection of the JCP shows it
  // TASK_REG: no active task of another job has the LTID.
  std::optional<bool> is_ltid_free = {};
  bool is_certain = false;  // for is_ltid_free
};

// A GJID that a JCP assigns.
struct GjidFact {
  // Active tasks of all nodes that have its CTID or its GJID.
  struct Holders {
    bool is_task_elsewhere = false;  // a task of another node that is not the first of its job
    bool is_own_job = false;         // another job of the addressee
    bool is_first_task_elsewhere = false;
    bool is_live = false;
  };
  std::optional<bool> is_ctid_taken = {};  // by an active task that the addressee has registered
  bool is_alone = false;
  std::optional<Holders> holders = {};
};

// A SESSION_OPEN of a job that its sender has put under the JCP.
struct FirstTaskFact {
  std::uint64_t ltid = 0;  // LTID of the job's first task
  bool is_alone = false;
};

struct JobFacts {
  std::optional<AnswerFact> answer = {};  // CONTROL_CONFIRM or CONTROL_REJECT
  std::optional<GjidFact> gjid = {};
  std::optional<FirstTaskFact> first_task = {};
};

// --- 5.2: tasks
// TASK_REG or TASK_CHK.
struct RegistrationFact {
  // The SESSION_OPEN because of which the node registers.
  struct Opening {
    JobOpening latest = {};
    bool has_begun = false;     // the beginning of the job was seen
    bool is_of_job = false;     // one of them names the job
    bool is_of_opener = false;  // and was sent by the task that TASK_REG names
  };
  std::optional<AddressFormat> jcp_format = {};
  std::optional<Opening> opening = {};
  std::optional<bool> has_task = {};  // the node has an active task of the job
  bool is_certain = false;            // for has_task
  bool is_active = false;             // the node has any active task under this JCP
};

// TASK_CONFIRM that answers TASK_REG.
struct RegisteredFact {
  // The job was completed by the node that opens the session.
  struct Completed {
    std::uint64_t frame = 0;
    bool is_proven = false;  // the JCP had certainly received that
  };
  bool is_live = false;
  bool is_taken_elsewhere = false;  // an active task of another node has the CTID
  std::optional<Completed> completed = {};
  std::optional<bool> has_opener = {};   // the task that opens the session was confirmed for the job
  std::optional<std::string> name = {};  // by which an active task knows the job
  std::optional<bool> is_taken = {};     // another active task of the node has the CTID
  bool is_certain = false;               // for is_taken
};

// TASK_CONFIRM that answers TASK_CHK.
struct CheckedFact {
  bool is_live = false;
  std::optional<bool> has_task = {};  // the task of the LTID was confirmed to the node
  // The same, if the job may have begun before the capture. A task of the job was confirmed to the node; if not this
  // one, another one.
  std::optional<bool> has_no_other = {};
  std::optional<bool> has_opener = {};  // the task of the GTID was confirmed for the job
  bool is_alone = false;
  std::optional<std::uint64_t> ctid = {};  // with which the task was confirmed
};

// A SESSION_OPEN of a job whose JCP is another node.
struct OpenerFact {
  bool has_task = false;    // the opener may have a task of the job
  bool was_told = false;    // it was told that the job is completed; otherwise its TASK_REG was answered
  std::uint64_t frame = 0;  // the frame of that notice, or of TASK_REG
};

// A SESSION_ACCEPT of a node that has sent TASK_REG.
struct SanctionFact {
  JobQuestion::State state = JobQuestion::State::waiting;
  std::uint64_t frame = 0;  // the frame of TASK_REG
};

struct TaskFacts {
  std::optional<RegistrationFact> registration = {};
  std::optional<AnswerFact> answer = {};  // TASK_CONFIRM or TASK_REJECT
  std::optional<RegisteredFact> registered = {};
  std::optional<CheckedFact> checked = {};
  std::optional<OpenerFact> opener = {};
  std::optional<SanctionFact> sanction = {};
  std::optional<bool> is_jcp = {};  // CONTROL_CONFIRM: the GJID has the address of the sender
};

// --- 5.5 and 5.6: the end of tasks and jobs
// TASK_TERMINATE.
struct TaskEndFact {
  bool names_first_task = false;  // its CTID is that of the job's first task, which is another node's
  bool is_alone = false;
  std::optional<bool> is_known = {};  // the JCP has assigned the CTID to a task of the node
  EndedOnceFact once = {};
};

// TASK_TERMINATE_INFO.
struct TaskNoticeFact {
  // The TASK_TERMINATE that it reports.
  struct End {
    EndCodes codes = {};
    std::uint64_t frame = 0;
  };
  bool is_of_addressee = false;           // it reports a task of the addressee
  std::optional<bool> has_task = {};      // the sender has confirmed a task to the addressee
  std::optional<End> end = {};            // empty: none was seen
  std::optional<bool> is_confirmed = {};  // the sender has confirmed the task
};

struct TaskEndFacts {
  std::optional<UseAfterEndFact> use = {};
  std::optional<TaskNoticeFact> notice = {};
  std::optional<TaskEndFact> end = {};
};

// JOB_COMPLETED.
struct JobEndFact {
  // The task of the sender that its CTID names.
  enum class Of : std::uint8_t {
    any,         // the first task of a job that it has initiated, or none that is known
    other_task,  // a task that is not the first of its job
    other_job,   // a task of a job that another node has initiated
  };
  Of of = Of::any;
  bool is_alone = false;
  std::optional<bool> is_known = {};  // the JCP has assigned the CTID to a task of the node
  EndedOnceFact once = {};
  std::optional<bool> is_initiator = {};  // by the CONTROL_CONFIRM of the job
  bool is_live = false;
};

// JOB_COMPLETED_INFO.
struct JobNoticeFact {
  bool is_of_sender = false;           // the addressee has assigned the GJID to the sender's job
  std::optional<bool> is_jcp = {};     // the GJID has the address of the sender
  std::optional<bool> is_named = {};   // an earlier instruction has named the job
  std::optional<EndCodes> codes = {};  // those of JOB_COMPLETED, if the notice has to repeat them
};

// A SESSION_OPEN of a job.
struct JobOpeningFact {
  bool has_ended = false;  // the opener has ended the job before
  bool is_certain = false;
  bool is_elsewhere = false;  // the job was not assigned on this connection; it has ended on another one
  std::uint64_t frame = 0;    // is_elsewhere: of its end
};

struct JobEndFacts {
  std::optional<JobEndFact> end = {};
  std::optional<JobNoticeFact> notice = {};
  std::optional<JobOpeningFact> opening = {};
  std::optional<UseAfterEndFact> use_of_completed = {}, use_of_reported = {};
};

// A notice about the end of a task or a job that a JCP has not sent to the other node, though it was due.
struct MissingNoticeFact {
  Side jcp = Side::a;
  MessageMark latest = {};  // the latest message of the JCP
  JobNotice notice = {};
};

// --- 5.7: activity
// STATE_REQ.
struct StateRequestFact {
  // The time in which neither node has sent anything else.
  struct Silence {
    std::uint16_t period = 0;  // the node's inaction time, in half seconds
    std::int64_t silent_ns = 0, least_ns = 0;
    bool is_certain = false;
  };
  struct Ended {
    std::uint64_t frame = 0;
    bool is_certain = false;  // the JCP had certainly received that
  };
  bool is_alone = false;
  std::optional<bool> has_task = {};  // the sender has confirmed a task to the addressee
  bool is_reported = false;           // JOB_COMPLETED_INFO for the task's job went before it
  std::optional<Ended> ended = {};    // the node has ended the task
  std::optional<Silence> silence = {};
};

// TASK_STATE or NODE_RELOAD.
struct StateAnswerFact {
  bool is_alone = false;
  bool is_awaited = false;               // a STATE_REQ waits for it
  std::optional<bool> names_asked = {};  // it names a task that a STATE_REQ asks for
};

struct ActivityFacts {
  std::optional<StateRequestFact> request = {};
  std::optional<StateAnswerFact> answer = {};
  std::optional<UseAfterEndFact> use_without_sessions = {}, use_of_completed = {};  // as the sender's TASK_STATE says
  std::optional<UseAfterEndFact> use_after_reload = {};                             // as its NODE_RELOAD says
  std::optional<AddressFormat> jcp_format = {};                                     // TASK_STATE: that of the JCP
};

// --- what is missing when the flow ends
// A node has ended its job or its task, and has not ended a session of it on this connection.
struct MissingAbendFact {
  Side node = Side::a;
  MessageMark latest = {};  // its latest message
  std::uint64_t frame = 0;  // the frame of JOB_COMPLETED or TASK_TERMINATE
  bool is_of_job = false;   // JOB_COMPLETED
  bool is_certain = false;  // the node has sent something much later
};

// A node has asked no JCP before it accepted a session.
struct MissingSanctionFact {
  UnaskedAcceptance acceptance = {};
};

// A JCP has not asked for a task of a node that has reported NODE_RELOAD for another one.
struct MissingQuestionFact {
  Side jcp = Side::a;
  MessageMark latest = {};  // its latest message
  MessageMark reload = {};
  std::uint64_t ltid = 0;
};

// A node has not answered STATE_REQ, and has worked in a session since then.
struct MissingStateFact {
  Side node = Side::a;
  MessageMark latest = {};  // its latest message
  MessageMark question = {};
  std::int64_t silent_ns = 0;
};

struct MissingFacts {
  std::vector<MissingAbendFact> abends = {};
  std::vector<MissingSanctionFact> sanctions = {};
  std::vector<MissingQuestionFact> questions = {};
  std::vector<MissingStateFact> states = {};
};

}  // namespace wirelaw::umsp
