// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/faults/session_deviations.h"

#include <algorithm>
#include <array>

#include "reference/deviation_rows.h"
#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp {
namespace {

using enum SessionDeviation;
using enum Role;
using enum Opcode;

bool by_datagram(const Arrived& one) {
  return one.datagram;
}
bool without_ask(const Arrived& one) {
  return !one.instruction.header.ask;
}
bool with_other_headers(const Arrived& one) {
  return std::ranges::any_of(one.instruction.extensions, [](const ExtensionHeader& header) {
    return header.head_code != static_cast<std::uint16_t>(HeadCode::name);
  });
}
bool with_code_zero(const Arrived& one) {
  return read_codes(one.instruction).value_or(Codes{}).basic == 0;
}

// In the order of the enumeration. A deviation that needs more than an edit has its functions beside this file.
constexpr std::array<DeviationEntry<SessionDeviation, InstructionEdit>, kSessionDeviations> kRows{{
    {open_unanswered, any, "5.3.1", "Does not answer a SESSION_OPEN.", ignored(session_open, always)},
    {open_with_headers_ignored, any, "5.3.1", "Does not take SESSION_OPEN with an extension header.",
     ignored(session_open, with_extension)},
    {open_before_accept, responder, "5.3", "Executes instructions of a session that is still being opened."},
    {window_zero_overlooked, initiator, "5.3.1", "Takes a window of 0 for one of 64 blocks."},
    {opener_ltid_changed, responder, "5.3.1",
     "Registers a task with another LTID of the opener than SESSION_OPEN has."},
    {opened_for_another_job, initiator, "5",
     "Opens sessions with another GJID than the one that the JCP has assigned."},
    {one_task_for_all, responder, "5.3", "Takes each SESSION_OPEN for one of the first job that it came to know."},
    {one_session_of_a_task, responder, "5.3",
     "Forgets the session that a task has when another node opens one with it."},
    {task_registered_again, responder, "5.3", "Registers a task of a job that it has a task of."},
    {vm_not_chosen, responder, "5.3.1", "Refuses a SESSION_OPEN that leaves the VM to it."},
    {announced_vm_refused, responder, "9.2", "Refuses a SESSION_OPEN that names its VM."},
    {sides_alike, responder, "5.3", "Refuses a session whose opener has not all functions of its own."},
    {one_session_per_connection, responder, "5.3", "Refuses a second session on a TCP connection."},
    {session_bound_to_connection, responder, "5.3",
     "Does not know a session on another connection than that on which it was opened."},
    {accepted_not_open, any, "5.3.2", "Forgets a session when it has accepted it."},
    {accept_ignored, any, "5.3.2", "Does not take SESSION_ACCEPT.", ignored(session_accept, always)},
    {accept_with_headers_ignored, any, "5.3.2", "Does not take SESSION_ACCEPT with an extension header.",
     ignored(session_accept, with_extension)},
    {reject_ignored, any, "5.3.1", "Does not take SESSION_REJECT.", ignored(session_reject, always)},
    {reject_with_headers_ignored, any, "5.3.3", "Does not take SESSION_REJECT with an extension header.",
     ignored(session_reject, with_extension)},
    {former_task_kept, responder, "5.3.1", "Keeps its session and task where the JCP opens a session again."},
    {jcp_asked_again, responder, "5.3.1", "Registers a task with the JCP which has opened its session again."},
    {jcp_refused_again, responder, "5.3.1", "Refuses a further session of a job to the JCP, too."},
    {second_session_accepted, responder, "5.3.1",
     "Accepts a further session of a job from a node that is not the JCP."},
    {refusal_ends_session, responder, "5.3.1", "Refuses a further session of a job, and ends the one that is there."},
    {zero_session_unserved, responder, "5.8", "Executes nothing without a session, but declares that it does."},
    {zero_session_needs_open, responder, "5.8",
     "Executes nothing without a session before a SESSION_OPEN of the zero-session."},
    {zero_open_registered, responder, "5.8", "Registers a task for a SESSION_OPEN of the zero-session."},
    {zero_open_countered, responder, "5.8", "Answers each SESSION_OPEN of the zero-session by SESSION_OPEN."},
    {zero_open_unanswered, responder, "5.8", "Does not answer a SESSION_OPEN of the zero-session."},
    {zero_open_makes_session, responder, "5.8", "Takes a SESSION_OPEN of the zero-session for a session of its job."},
    {close_unanswered, responder, "5.4", "Does not answer SESSION_CLOSE.", ignored(session_close, always)},
    {close_with_headers_ignored, responder, "5.4.1", "Does not take SESSION_CLOSE with an extension header.",
     ignored(session_close, with_extension)},
    {close_without_operands_ignored, responder, "5.4.1", "Does not take SESSION_CLOSE without operands.",
     ignored(session_close, without_operands)},
    {close_of_unknown_taken, responder, "5.4.1",
     "Takes SESSION_CLOSE of no session for one of the session that it has."},
    {closing_not_cancelled, responder, "5.4", "Ends a session that it has agreed to close whatever comes."},
    {response_cancels_closing, responder, "5.4", "Takes a response for the end of a closing."},
    {abend_ignored, any, "5.4.2", "Does not take SESSION_ABEND.", ignored(session_abend, always)},
    {abend_with_headers_ignored, any, "5.4.2", "Does not take SESSION_ABEND with an extension header.",
     ignored(session_abend, with_extension)},
    {abend_without_operands_ignored, any, "5.4.2", "Does not take SESSION_ABEND without operands.",
     ignored(session_abend, without_operands)},
    {agreed_closing_unfinished, initiator, "5.4", "Sends nothing when the other side has agreed to close.",
     ignored(rsp_p, with_code_zero)},
    {refused_closing_ends, initiator, "5.4", "Takes a session for closed when the other side has refused that."},
    {closing_times_out, initiator, "5.4",
     "Waits a second for the answer to SESSION_CLOSE, and gives the session up then."},
    {vm_req_unanswered, responder, "9.1", "Does not answer VM_REQ.", ignored(vm_req, always)},
    {vm_req_by_datagram_ignored, responder, "9", "Does not take VM_REQ by UDP.", ignored(vm_req, by_datagram)},
    {vm_req_answered_by_tcp, responder, "9", "Answers a VM_REQ that came by UDP by TCP."},
    {vm_req_without_ask_ignored, responder, "9.1", "Does not take VM_REQ with ASK 0.", ignored(vm_req, without_ask)},
    {vm_req_with_headers_ignored, responder, "9.1", "Does not take VM_REQ with an extension header other than _NAME.",
     ignored(vm_req, with_other_headers)},
    {vm_req_for_all_unanswered, responder, "9.1", "Does not answer VM_REQ without operands."},
    {vm_req_for_one_gets_all, responder, "9.1", "Answers VM_REQ for one VM by all that it has."},
    {vm_req_for_group_unanswered, responder, "9.1", "Does not answer VM_REQ with several VMs."},
    {greatest_version_unnamed, responder, "9.1", "Names version 1 if the greatest is requested."},
    {name_unanswered, responder, "9", "Does not look at _NAME of VM_REQ."},
    {group_as_one_vm, responder, "9.2", "Names one VM of a group in answer to a VM_REQ for the group."},
    {vms_in_one_notification, responder, "9.2", "Lists all its VMs in one VM_NOTIF."},
    {vm_notif_answered, responder, "9.2", "Answers VM_NOTIF.", answered(vm_notif)},
    {unusual_vm_notif_refused, responder, "9.2",
     "Refuses a VM_NOTIF with ASK 1, extension headers, a reserved operand, or of TCP alone."},
}};
constexpr auto kDeviations = described(kRows);
constexpr auto kEdits = edits_of(kRows);

}  // namespace

std::span<const DeviationRow<SessionDeviation>> all_session_deviations() {
  return kDeviations;
}

std::span<const InstructionEdit> session_edits() {
  return kEdits;
}

}  // namespace wirelaw::umsp
