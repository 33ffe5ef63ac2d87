// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/faults/node_deviations.h"

#include <array>

#include "reference/deviation_rows.h"
#include "reference/umsp/instruction_edit.h"

namespace wirelaw::umsp {
namespace {

using enum NodeDeviation;
using enum NodeSide;

bool with_return_codes_and_extension(const Arrived& one) {
  const auto code = static_cast<Opcode>(one.instruction.opcode());
  return (code == Opcode::rsp || code == Opcode::rsp_p) && one.instruction.header.ext;
}

// In the order of the enumeration. A deviation that needs more than an edit has its functions beside this file.
constexpr std::array<DeviationEntry<NodeDeviation, InstructionEdit, NodeSide>, kNodeDeviations> kRows{{
    {tcp_unserved, takes, "2.3", "Takes nothing that comes by TCP."},
    {udp_unserved, takes, "3.4", "Takes no instruction of exchange that comes by UDP, and notifies that it does."},
    {one_connection_of_node, takes, "2.3", "Takes of a node what its first connection brings."},
    {session_kept_on_connection, takes, "3.4", "Knows a session only on the connection on which it was opened."},
    {connection_end_ends_sessions, takes, "2.3", "Ends the sessions of a connection with it."},
    {one_session_of_node, takes, "2.3", "Refuses a second session with a node."},
    {split_instructions_lost, takes, "2.3", "Loses an instruction that comes in several segments."},
    {one_of_segment, takes, "2.3", "Reads only the first instruction of a segment."},
    {one_of_datagram, takes, "2.3", "Reads only the first instruction of a datagram."},
    {datagrams_without_session_ignored, takes, "5.8", "Passes over a WRITE of no session that comes by UDP."},
    {datagrams_answered, takes, "6", "Answers by UDP what comes by UDP with ASK 1."},
    {seek_by_datagram_refused, takes, "6.6.5.1", "Refuses OBJ_SEEK by UDP where it has no object of the name."},
    {task_for_each_session, takes, "2.2", "Has a task for each session of a job."},
    {one_gjid_for_all, sends, "2.2", "Gives the same GJID to each job."},
    {extended_form_refused, takes, "3.1", "Refuses operands of up to six words after OPR_LENGTH_EXT."},
    {empty_extended_form_refused, takes, "3.1", "Refuses OPR_LENGTH_EXT 0."},
    {seven_words_taken, takes, "3.1", "Takes OPR_LENGTH 7 of instructions between VMs for seven words."},
    {long_headers_ignored, takes, "3.1", "Passes over instructions with a header of 16 octets.",
     ignored(kFirst, kLast, [](const Arrived& one) { return one.instruction.header.octets() == kMostHeader; })},
    {same_session_ignored, takes, "3.1", "Passes over instructions with PCK 01.",
     ignored(kFirst, kLast, [](const Arrived& one) { return one.instruction.header.pck == Pck::same_session; })},
    {same_number_taken, takes, "3.1", "Takes PCK 10 for the INSTR_NUMBER before, not the next."},
    {previous_session_kept, takes, "3.1", "Takes the session of the instruction before, with PCK 11 too."},
    {unknown_session_guessed, takes, "3.1",
     "Takes a SESSION_ID that it does not know for its first session with the node."},
    {unknown_length_ignored, takes, "3", "Takes the header for the whole of an instruction with an unknown OPCODE."},
    {unknown_ends_connection, takes, "3.1", "Resets a connection with an unknown OPCODE."},
    {unknown_unanswered, takes, "4.1", "Does not answer instructions that its VM does not know."},
    {nop_unanswered, takes, "3.1", "Does not answer NOP."},
    {answers_unasked, takes, "3.1", "Answers instructions with ASK 0 by RSP."},
    {obligatory_headers_ignored, takes, "3.2", "Executes instructions with an unknown extension header of HOB 1."},
    {management_in_datagrams_taken, takes, "5", "Carries out instructions of job management that come in datagrams."},
    {obligatory_header_unanswered, takes, "3.2", "Does not refuse what it does not execute for an extension header."},
    {unknown_headers_refused, takes, "3.2", "Refuses unknown extension headers of HOB 0."},
    {headers_behind_unknown_ignored, takes, "3.2", "Does not process extension headers after an unknown one."},
    {reserved_bits_checked, takes, "3.2", "Refuses HRZ 1, and RESERVED that is not 0."},
    {last_header_overlooked, takes, "3.2", "Takes the operands' beginning for one more extension header."},
    {many_headers_executed, takes, "3.2", "Executes instructions with any number of them."},
    {many_headers_refused, takes, "3.2", "Refuses an instruction with more than thirty, and keeps the session."},
    {extended_heads_refused, takes, "3.2", "Refuses extension headers with HXT 1."},
    {alignment_refused, takes, "8.1", "Refuses _ALIGNMENT."},
    {second_msg_refused, takes, "8.2", "Refuses a second _MSG."},
    {data_taken_for_text, takes, "8.4", "Refuses _DATA that are no ASCII."},
    {short_operands_filled, takes, "3.3", "Fills operands that are too short up with zeros."},
    {nonsense_ends_connection, takes, "3.3", "Resets a connection on which operands make no sense."},
    {req_id_in_one_session, takes, "4", "Passes over a request with the REQ_ID of another session's."},
    {req_id_of_jcp_ignored, takes, "4", "Takes any answer of the JCP for that to its last request."},
    {unasked_responses_end_session, takes, "4.1", "Ends a session on a response that it does not expect."},
    {responses_dropped, takes, "4", "Does not pass RSP to the VM.", ignored(Opcode::rsp, always)},
    {responses_with_headers_ignored, takes, "4.1", "Passes over RSP and RSP_P with extension headers.",
     ignored(kFirst, kLast, with_return_codes_and_extension)},
    {msg_means_error, takes, "4.1", "Takes a response with _MSG for a negative one."},
    {empty_response_negative, takes, "4.1", "Takes a response without operands for a negative one."},
    {additional_code_means_error, takes, "4.1", "Takes a response with an additional code for a negative one."},
    {comparison_offered_alone, takes, "5.3.4", "Offers comparison, and refuses it."},
    {profile_ignored, takes, "5.3.4", "Executes what its profile does not offer."},
    {long_data_refused, takes, "5.3.4", "Refuses more than 124 octets of data in operands."},
    {executions_answered_by_rsp_p, takes, "5.3.4", "Answers executions on its VM by RSP_P.",
     sent(Opcode::rsp, rename<Opcode::rsp_p>)},
}};
constexpr auto kDeviations = described(kRows);
constexpr auto kEdits = edits_of(kRows);

}  // namespace

std::span<const DeviationRow<NodeDeviation, NodeSide>> all_node_deviations() {
  return kDeviations;
}

std::span<const InstructionEdit> node_edits() {
  return kEdits;
}

}  // namespace wirelaw::umsp
