// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/faults/job_deviations.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/deviation_rows.h"
#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/management.h"
#include "reference/umsp/node/job_codes.h"
#include "reference/umsp/node/node_address.h"

namespace wirelaw::umsp {
namespace {

using enum JobDeviation;
using enum JobRole;
using enum Opcode;
using enum TaskCondition;

// --- edits
void replace(Departure& one, Draft other) {
  other.req_id = one.draft.req_id;
  one.draft = std::move(other);
}
void confirm_unknown_job(Departure& one) {
  if (one.draft.operands == TaskReject{codes_of(JobCode::unknown_job)}.draft().operands)
    replace(one, TaskConfirm{NodeFormat{one.format}.task_id(1)}.draft());
}
void ask_other_ltid(Departure& one) {
  constexpr TaskId kNoLtid{0xdead, 4};
  replace(one, StateReq{kNoLtid}.draft());
}
// The basic code is in the first two octets.
void change_code(Departure& one) {
  if (++one.draft.operands.at(1) == 0) ++one.draft.operands.front();
}
template <TaskCondition from, TaskCondition to>
void report(Departure& one) {
  Octet& state = one.draft.operands.front();
  if (state == static_cast<Octet>(from)) state = static_cast<Octet>(to);
}
void invent_sessions(Departure& one) {
  report<no_sessions, has_sessions>(one);
  report<no_resources, has_sessions>(one);
}
void deny_reload(Departure& one) {
  one.draft = TaskState{static_cast<std::uint8_t>(no_resources), {}}.draft();
}

// --- the received instructions that are ignored
// TASK_TERMINATE and JOB_COMPLETED have the same form.
bool padded_ctid(const Arrived& one) {
  const auto notice = TaskTerminate::read(one.instruction);
  return notice && notice->ctid.octets > one.format.memory_octets();
}
bool with_codes(const Arrived& one) {
  const auto notice = JobCompletedInfo::read(one.instruction);
  return notice && notice->codes;
}
bool without_codes(const Arrived& one) {
  const auto notice = JobCompletedInfo::read(one.instruction);
  return notice && !notice->codes;
}
// The reserved octets of TASK_STATE (5.7.3).
bool with_reserved_octets(const Arrived& one) {
  const Octets operands = one.instruction.operands;
  if (operands.size() < 4) return false;
  const Octets reserved = operands.subspan(1, operands.size() == 4 ? 1 : 3);
  return std::ranges::any_of(reserved, [](Octet octet) { return octet != 0; });
}

// In the order of the enumeration. A deviation that needs more than an edit has its functions beside this file.
constexpr std::array<DeviationEntry<JobDeviation, InstructionEdit, JobRole>, kJobDeviationCount> kRows{{
    {task_end_not_notified, control, "5.5", "Notifies no node of the end of a task."},
    {task_notice_held, control, "5",
     "Sends TASK_TERMINATE_INFO only after the instruction that follows the next TASK_CONFIRM."},
    {job_notice_behind_confirm, control, "5.1.1",
     "Sends JOB_COMPLETED_INFO only after the instruction that follows the next CONTROL_CONFIRM."},
    {ltid_never_again, control, "5", "Rejects an LTID that a node has registered before, though that task has ended."},
    {gjid_of_other_node, control, "5.2", "Assigns GJIDs that name another node."},
    {padded_ctid_unknown, control, "5",
     "Does not know a CTID that came in a longer field than its local addresses have.",
     ignored(task_terminate, job_completed, padded_ctid)},
    {control_req_unanswered, control, "5.1.1", "Does not answer CONTROL_REQ.", ignored(control_req, always)},
    {control_req_with_extension_ignored, control, "5.1.1", "Does not take CONTROL_REQ with an extension header.",
     ignored(control_req, with_extension)},
    {control_req_with_name_ignored, control, "5.1.1", "Does not take CONTROL_REQ with _NAME.",
     ignored(control_req, with<HeadCode::name>)},
    {control_req_with_inaction_ignored, control, "5.1.1", "Does not take CONTROL_REQ with _INACTION_TIME.",
     ignored(control_req, with<HeadCode::inaction_time>)},
    {no_life_time_is_short, control, "5.1.1", "Ends a job with JOB_LIFE_TIME 0 after a second."},
    {cmt_refused, control, "5.1.1", "Rejects CONTROL_REQ with CMT 1."},
    {job_name_changes, control, "5.1.1", "Gives the job another name in TASK_CONFIRM than CONTROL_REQ did."},
    {former_job_overlooked, control, "5.1.1", "Does not look for an active job with the LTID of CONTROL_REQ."},
    {former_job_not_notified, control, "5.1.1", "Ends the previous job of a repeated CONTROL_REQ without a notice."},
    {repeated_job_refused, control, "5.1.1",
     "Ends the previous job of a repeated CONTROL_REQ, and rejects the new one."},
    {other_job_ended, control, "5.1.1", "Takes any active job of the node for the one that CONTROL_REQ repeats."},
    {task_reg_unanswered, control, "5.2.1", "Does not answer TASK_REG.", ignored(task_reg_2, task_reg_8, always)},
    {task_reg_with_extension_ignored, control, "5.2.1", "Does not take TASK_REG with an extension header.",
     ignored(task_reg_2, task_reg_8, with_extension)},
    {task_reg_with_inaction_refused, control, "5.2.1", "Rejects TASK_REG with _INACTION_TIME."},
    {registration_refused, control, "5.2.1", "Rejects a task for which both conditions hold."},
    {unknown_opener_confirmed, control, "5.2.1", "Confirms a task whose GTID is not registered."},
    {known_ltid_confirmed, control, "5.2.1", "Confirms a task whose LTID is registered already."},
    {unknown_job_confirmed, control, "5.2.1", "Confirms a task of a job that it does not know.",
     sent(task_reject, confirm_unknown_job)},
    {check_with_extension_ignored, control, "5.2.4", "Does not take TASK_CHK with an extension header.",
     ignored(task_chk, with_extension)},
    {check_refused, control, "5.2.4", "Rejects TASK_CHK though both tasks are registered."},
    {unknown_check_confirmed, control, "5.2.4", "Confirms TASK_CHK of tasks that are not registered."},
    {terminate_with_extension_ignored, control, "5.5.1", "Does not take TASK_TERMINATE with an extension header.",
     ignored(task_terminate, with_extension)},
    {terminate_not_notified, control, "5.5.1", "Does not notify after TASK_TERMINATE with a basic code other than 0."},
    {one_node_without_task_notice, control, "5.5.1", "Leaves one node out when it notifies of the end of a task."},
    {ended_node_notified, control, "5.5.2", "Sends TASK_TERMINATE_INFO to the node of the ended task too."},
    {task_notice_without_end, control, "5.5.2", "Sends TASK_TERMINATE_INFO for a task that has reported to be active."},
    {task_notice_with_ctid, control, "5.5.2", "Puts the CTID of the ended task into the GTID."},
    {task_notice_codes_changed, control, "5.5.2", "Sends other codes in TASK_TERMINATE_INFO than TASK_TERMINATE had.",
     sent(task_terminate_info, change_code)},
    {completed_with_extension_ignored, control, "5.6.1", "Does not take JOB_COMPLETED with an extension header.",
     ignored(job_completed, with_extension)},
    {life_time_ignored, control, "5.6", "Does not end a job whose lifetime is over."},
    {life_end_silent, control, "5.6.2", "Ends a job whose lifetime is over without a notice."},
    {shut_down_silent, control, "5.6", "Ends its work without a notice."},
    {job_end_not_notified, control, "5.6.1", "Does not notify after JOB_COMPLETED."},
    {one_node_without_job_notice, control, "5.6.1", "Leaves one node out when it notifies of the end of a job."},
    {job_notice_without_end, control, "5.6.2", "Sends JOB_COMPLETED_INFO when a task ends that is not the first."},
    {job_notice_codes_changed, control, "5.6.2", "Sends other codes in JOB_COMPLETED_INFO than JOB_COMPLETED had.",
     sent(job_completed_info, change_code)},
    {initiator_notified_last, control, "5.6.2", "Notifies the initiator last when it ends a job itself."},
    {nodes_not_watched, control, "5.7", "Never sends STATE_REQ."},
    {silent_initiator_ignored, control, "5.7", "Does not end the job of an initiator that is switched off."},
    {silent_node_not_notified, control, "5.7", "Does not notify of the tasks of a node that is switched off."},
    {old_gjid_again, control, "5.7", "Assigns GJIDs that may be in use from before its restart."},
    {no_period_set, control, "5.7.1", "Sets no period for a node that names none."},
    {former_tasks_overlooked, control, "5.7.1",
     "Does not look for tasks of a node that sends TASK_REG with _INACTION_TIME."},
    {former_tasks_not_notified, control, "5.7.1", "Ends the tasks of a reloaded node without notices."},
    {task_notice_behind_confirm, control, "5.7.1",
     "Sends the notices for a reloaded node after the instruction that follows TASK_CONFIRM."},
    {asks_other_ltid, control, "5.7.2", "Asks for the state of an LTID that was not registered.",
     sent(state_req, ask_other_ltid)},
    {new_task_stops_check, control, "5.7.2", "Takes a registration for an answer to STATE_REQ."},
    {gives_up_early, control, "5.7.2", "Waits half a period for the answer to STATE_REQ."},
    {silence_tolerated, control, "5.7.2",
     "Does not take a node for switched off that leaves STATE_REQ without an answer."},
    {reserved_state_checked, control, "5.7.3", "Does not take TASK_STATE whose reserved octets are not 0.",
     ignored(task_state, with_reserved_octets)},
    {older_tasks_not_asked, control, "5.7.4", "Does not ask the older tasks of a reloaded node."},
    {reload_not_waited_for, control, "5.7.4", "Asks the later tasks of a reloaded node at once."},
    {later_tasks_not_asked, control, "5.7.4", "Does not ask the later tasks of a reloaded node."},
    {unlinked_node_given_up, control, "5.7", "Takes a node for switched off that closes its connection."},
    {gjid_altered, node, "5", "Uses another GJID than the one that the JCP has assigned."},
    {padded_ltid_unknown, node, "5",
     "Does not know an LTID that came in a longer field than its local addresses have."},
    {job_not_registered, node, "5.1", "Begins a job of another JCP without CONTROL_REQ."},
    {control_req_misdirected, node, "5.1.1", "Sends CONTROL_REQ to a node that is not the JCP.",
     sent(control_req, misdirect)},
    {control_confirm_answered, node, "5.1.2", "Answers CONTROL_CONFIRM by RSP_P.", answered(control_confirm)},
    {control_confirm_with_extension_ignored, node, "5.1.2", "Does not take CONTROL_CONFIRM with an extension header.",
     ignored(control_confirm, with_extension)},
    {first_task_registered, node, "5.1.2", "Sends TASK_REG for the first task of its job."},
    {control_reject_5_ignored, node, "5.1.3", "Does not take OPCODE 5 for CONTROL_REJECT."},
    {control_reject_4_ignored, node, "5.1.3", "Does not take OPCODE 4 for CONTROL_REJECT."},
    {control_reject_answered, node, "5.1.3", "Answers CONTROL_REJECT by RSP_P.", answered(control_reject)},
    {control_reject_with_extension_ignored, node, "5.1.3", "Does not take CONTROL_REJECT with an extension header.",
     ignored(control_reject, with_extension)},
    {begins_unsanctioned, node, "5.2", "Begins a task before the JCP has confirmed it."},
    {jcp_needs_sanction, node, "5.2", "Asks for a sanction though the JCP itself opens the session."},
    {registers_at_opener, node, "5.2.1", "Sends TASK_REG to the node that opens the session."},
    {registers_other_ctid, node, "5.2.1", "Sends TASK_REG with a CTID that is not that of the GJID."},
    {registers_own_gtid, node, "5.2.1", "Sends TASK_REG with a GTID of its own node."},
    {task_confirm_answered, node, "5.2.2", "Answers TASK_CONFIRM by RSP_P.", answered(task_confirm)},
    {task_confirm_with_extension_ignored, node, "5.2.2", "Does not take TASK_CONFIRM with _NAME.",
     ignored(task_confirm, with<HeadCode::name>)},
    {rejected_task_begins, node, "5.2.3", "Begins a task that the JCP has rejected."},
    {task_reject_answered, node, "5.2.3", "Answers TASK_REJECT by RSP_P.", answered(task_reject)},
    {task_reject_with_extension_ignored, node, "5.2.3", "Does not take TASK_REJECT with an extension header.",
     ignored(task_reject, with_extension)},
    {checks_at_opener, node, "5.2.4", "Sends TASK_CHK to the node that opens the session."},
    {checks_new_task, node, "5.2.4", "Sends TASK_CHK for a task that it has not begun.",
     sent(task_reg_2, task_reg_8, rename<task_chk>)},
    {former_task_goes_on, node, "5.3.1", "Keeps its task when the JCP opens the session again."},
    {opened_again_admitted, node, "5.3.1", "Admits a second session of a node that is not the JCP."},
    {sessions_not_abended, node, "5.5", "Sends no SESSION_ABEND when it ends a task."},
    {terminate_misdirected, node, "5.5.1", "Sends TASK_TERMINATE to a node that is not the JCP.",
     sent(task_terminate, misdirect)},
    {terminate_not_sent, node, "5.5.1", "Ends a task without TASK_TERMINATE.", sent(task_terminate, never)},
    {terminate_with_first_ctid, node, "5.5.1", "Sends TASK_TERMINATE with the CTID of the first task."},
    {terminated_task_goes_on, node, "5.5.1", "Continues with a task after TASK_TERMINATE."},
    {node_sends_notice, node, "5.5.2", "Sends TASK_TERMINATE_INFO, which is the JCP's to send."},
    {task_notice_with_extension_ignored, node, "5.5.2", "Does not take TASK_TERMINATE_INFO with an extension header.",
     ignored(task_terminate_info, with_extension)},
    {node_end_not_reported, node, "5.5.2", "Leaves the pointers to an ended task valid."},
    {completion_not_sent, node, "5.6", "Ends its job without JOB_COMPLETED.", sent(job_completed, never)},
    {sessions_kept_after_job, node, "5.6.1", "Sends no SESSION_ABEND when it ends its job."},
    {job_notice_ignored, node, "5.6.2", "Continues with its task at JOB_COMPLETED_INFO.",
     ignored(job_completed_info, always)},
    {job_notice_with_extension_ignored, node, "5.6.2", "Does not take JOB_COMPLETED_INFO with an extension header.",
     ignored(job_completed_info, with_extension)},
    {job_notice_without_codes_ignored, node, "5.6.2", "Does not take JOB_COMPLETED_INFO without codes.",
     ignored(job_completed_info, without_codes)},
    {job_notice_with_codes_ignored, node, "5.6.2", "Does not take JOB_COMPLETED_INFO with codes.",
     ignored(job_completed_info, with_codes)},
    {inaction_always_named, node, "5.7.1",
     "Puts _INACTION_TIME into TASK_REG though it has other tasks under the JCP."},
    {node_asks_state, node, "5.7.2", "Sends STATE_REQ to the JCP."},
    {state_req_unanswered, node, "5.7.2", "Does not answer STATE_REQ.", ignored(state_req, always)},
    {jcp_given_up_early, node, "5.7.2", "Takes a JCP for gone that is silent for one period."},
    {state_misdirected, node, "5.7.3", "Sends TASK_STATE to a node that is not the JCP.", sent(task_state, misdirect)},
    {sessions_denied, node, "5.7.3", "Answers state 2 for a task that has sessions.",
     sent(task_state, report<has_sessions, no_sessions>)},
    {sessions_invented, node, "5.7.3", "Answers state 1 for a task that has none.", sent(task_state, invent_sessions)},
    {resources_invented, node, "5.7.3", "Answers state 2 for a task without resources.",
     sent(task_state, report<no_resources, no_sessions>)},
    {completed_task_denied, node, "5.7.3", "Answers NODE_RELOAD for a task that is completed."},
    {reload_misdirected, node, "5.7.4", "Sends NODE_RELOAD to a node that is not the JCP.",
     sent(node_reload, misdirect)},
    {reload_denied, node, "5.7.4", "Answers TASK_STATE for a task that it does not have.",
     sent(node_reload, deny_reload)},
    {waits_for_ever, node, "5", "Sets no end to the time that it waits for an answer of the JCP."},
    {task_confirm_with_any_extension_ignored, node, "5.2.2", "Does not take TASK_CONFIRM with an extension header.",
     ignored(task_confirm, with_extension)},
    {reload_for_every_task, node, "5.2", "Answers NODE_RELOAD for every task."},
}};
constexpr auto kDeviations = described(kRows);
constexpr auto kEdits = edits_of(kRows);

}  // namespace

std::span<const JobDeviationInfo> all_job_deviations() {
  return kDeviations;
}

std::span<const InstructionEdit> job_edits() {
  return kEdits;
}

}  // namespace wirelaw::umsp
