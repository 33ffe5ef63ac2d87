// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/chains/deviations.h"

#include <array>
#include <vector>

#include "reference/deviation_rows.h"
#include "reference/umsp/instruction_edit.h"

namespace wirelaw::umsp {
namespace {

using enum ChainDeviation;
using enum ChainEnd;
using enum Opcode;

void leave_out_life_time(Departure& one) {
  std::erase_if(one.draft.extensions, [](const auto& extension) { return extension.head_code == HeadCode::life_time; });
}
void set_life_time(Departure& one) {
  if (one.draft.extensions.empty()) one.draft.extensions.push_back({HeadCode::life_time, {0, 9}});
}

// In the order of the enumeration; each with the rule that it should be found to break. A deviation that needs more
// than an edit has its functions in faults/.
constexpr std::array<DeviationEntry<ChainDeviation, InstructionEdit, ChainEnd>, kChainDeviationCount> kRows{{
    {snd_cancel_with_header_ignored, receiver, "UMSP-4.2-3", "Ignores SND_CANCEL with extension headers.",
     ignored(snd_cancel, with_extension)},
    {snd_cancel_with_msg_ignored, receiver, "UMSP-4.2-10", "Ignores SND_CANCEL with _MSG.",
     ignored(snd_cancel, with<HeadCode::msg>)},
    {snd_cancel_ignored, receiver, "UMSP-4.2-13", "Continues with a chain that was cancelled."},
    {one_chain_at_a_time, receiver, "UMSP-7-2", "Refuses a chain while there is another."},
    {disorder_executed, receiver, "UMSP-7.1-1", "Executes a sequence in the order in which it comes."},
    {rest_executed, receiver, "UMSP-7.1-2", "Executes the rest of a sequence after a refusal."},
    {long_sequence_refused, receiver, "UMSP-7.1-12", "Refuses a sequence at its seventeenth instruction."},
    {nop_does_not_end, receiver, "UMSP-7.1-13", "Does not take NOP with _END_CHAIN for the end of a sequence."},
    {executes_what_it_can, receiver, "UMSP-7.2-1", "Executes a transaction as far as the VM can."},
    {exec_ignored, receiver, "UMSP-7.2-2", "Refuses every EXEC_TR."},
    {executed_is_cancelled, receiver, "UMSP-7.2-3", "Refuses a transaction at CANCEL_TR that it has executed."},
    {tre_not_executed, receiver, "UMSP-7.2.1-6", "Cancels a transaction with TRE 1 when its time is over."},
    {tre_forgotten_at_end, receiver, "UMSP-7.2.1-7",
     "Drops a transaction with TRE 1 at the emergency end of the session."},
    {executed_over_time, receiver, "UMSP-7.2.1-8", "Executes a transaction with TRE 0 when its time is over."},
    {time_over_unanswered, receiver, "UMSP-7.2.1-9", "Cancels a transaction whose time is over without an answer."},
    {all_executed_at_end, receiver, "UMSP-7.2.1-10",
     "Executes a transaction with TRE 0 at the emergency end of the session."},
    {waits_for_exec, receiver, "UMSP-7.2.1-11", "Waits for EXEC_TR of a transaction with TRR 1."},
    {transaction_executed_early, receiver, "UMSP-7.2.1-12",
     "Executes the instructions of a transaction with TRR 1 as they come."},
    {executes_without_exec, receiver, "UMSP-7.2.1-14", "Executes a transaction with TRR 0 as soon as it is whole."},
    {time_in_seconds, receiver, "UMSP-7.2.1-18", "Takes TIME_TR for seconds."},
    {time_from_beginning, receiver, "UMSP-7.2.1-19", "Counts TIME_TR from the first instruction of a transaction."},
    {no_unlimited_time, receiver, "UMSP-7.2.1-20", "Takes TIME_TR 0 for two seconds."},
    {exec_without_execution, receiver, "UMSP-7.2.2-2", "Answers EXEC_TR and executes nothing."},
    {exec_unanswered, receiver, "UMSP-7.2.2-4", "Does not answer EXEC_TR."},
    {exec_with_header_ignored, receiver, "UMSP-7.2.2-7", "Ignores EXEC_TR with extension headers.",
     ignored(exec_tr, with_extension)},
    {cancel_with_header_ignored, receiver, "UMSP-7.2.3-5", "Ignores CANCEL_TR with extension headers.",
     ignored(cancel_tr, with_extension)},
    {cancelled_comes_back, receiver, "UMSP-7.2.3-9", "Keeps a cancelled transaction, so that EXEC_TR executes it."},
    {fragments_damaged, receiver, "UMSP-7.3-14", "Alters the last octet of what it puts together."},
    {outside_held_back, receiver, "UMSP-7.4-1",
     "Holds an instruction outside of chains back until the next one comes."},
    {thread_blocks, receiver, "UMSP-7.4-4", "Takes nothing of chains while a thread of one is running."},
    {window_not_enforced, receiver, "UMSP-7.4-11", "Takes more than the window holds."},
    {req_buf_with_header_ignored, receiver, "UMSP-7.4-17", "Ignores REQ_BUF with extension headers.",
     ignored(req_buf, with_extension)},
    {short_buffer_refused, receiver, "UMSP-7.4-25", "Refuses REQ_BUF of what fits the window."},
    {own_buffer_for_subordinated, receiver, "UMSP-7.4-27",
     "Puts a subordinated chain into the window, whatever its parental one has."},
    {sequence_needs_grant, receiver, "UMSP-7.4-28", "Refuses a sequence without REQ_BUF."},
    {sequence_buffered, receiver, "UMSP-7.4-29", "Counts a sequence on one connection to the window."},
    {overtaking_dropped, receiver, "UMSP-7.4-30", "Drops instructions that overtake others."},
    {one_segment_buffered, receiver, "UMSP-7.4-32", "Counts a transaction in one segment to the window."},
    {fitting_needs_grant, receiver, "UMSP-7.4-33", "Refuses transactions and fragments without REQ_BUF."},
    {each_answered, receiver, "UMSP-7.5-2", "Answers each instruction of a chain."},
    {sequence_executed_at_end, receiver, "UMSP-7.5-7", "Executes a sequence when its end is there."},
    {fragments_executed_early, receiver, "UMSP-7.5-8",
     "Executes a fragmented instruction at its first fragment, filled up with zeros."},
    {collected_in_part, receiver, "UMSP-7.5-12", "Executes a transaction in the window without its last instruction."},
    {window_not_cleared, receiver, "UMSP-7.5-14", "Does not free the window after an execution."},
    {acknowledged_by_rsp, receiver, "UMSP-7.5-15", "Answers a chain in the window by RSP.", sent(rsp_p, rename<rsp>)},
    {answered_by_rsp_p, receiver, "UMSP-7.5-16", "Answers every chain by RSP_P.", sent(rsp, rename<rsp_p>)},
    {base_of_all_chains, receiver, "UMSP-7.6-1", "Uses the base of one chain for all that follow."},
    {base_in_first_octets, receiver, "UMSP-7.6-8", "Takes a base of three octets from the first three of four."},
    {first_base_stays, receiver, "UMSP-7.6-10", "Keeps the first base of a sequence."},
    {base_twice_taken, receiver, "UMSP-7.6-12", "Executes a transaction whose base is set twice."},
    {life_time_counted_whole, receiver, "UMSP-8.5-7",
     "Rejects an instruction that came whole where its lifetime is below ten."},
    {assembly_not_counted, receiver, "UMSP-8.5-8", "Does not take the time of assembly off the lifetime."},
    {short_life_refused, receiver, "UMSP-8.5-9",
     "Rejects an instruction of a sequence where its lifetime is below ten."},
    {life_time_not_passed, receiver, "UMSP-8.5-10", "Does not pass the lifetime to the VM."},
    {expired_executed, receiver, "UMSP-8.5-20", "Executes fragments whose lifetime is over."},
    {expired_unanswered, receiver, "UMSP-8.5-21", "Rejects fragments whose lifetime is over without an answer."},
    {expired_always_answered, receiver, "UMSP-8.5-22",
     "Refuses fragments whose lifetime is over by RSP also where ASK is 0."},
    {same_number, sender, "UMSP-7-7", "Gives every chain the number 1."},
    {end_not_marked, sender, "UMSP-7-15", "Sends no _END_CHAIN."},
    {rest_sent, sender, "UMSP-7.1-3", "Sends the rest of a sequence that failed."},
    {sends_without_room, sender, "UMSP-7.4-36", "Sends a chain although the window has no room for it."},
    {room_free_when_sent, sender, "UMSP-7.5-9", "Takes room in the window as free when the chain was sent."},
    {req_id_of_vm_kept, sender, "UMSP-7.5-10", "Keeps the REQ_ID of the VM in a chain that goes through the window."},
    {room_never_free, sender, "UMSP-7.5-17", "Does not count room as free after RSP_P."},
    {req_id_not_restored, sender, "UMSP-7.5-18", "Gives the VM the REQ_ID of the layer."},
    {queue_not_counted, sender, "UMSP-8.5-5", "Does not take the time in the queue off the lifetime."},
    {over_sequence_goes_on, sender, "UMSP-8.5-13", "Sends a sequence on when the lifetime of an instruction is over."},
    {over_fragments_go_on, sender, "UMSP-8.5-17", "Sends the rest of fragments whose lifetime is over."},
    {own_life_time, sender, "UMSP-8.5-18", "Sets a lifetime that the VM has not set.",
     sent(kFirst, kLast, set_life_time)},
    {life_time_left_out, sender, "UMSP-8.5-19", "Leaves the lifetime out.", sent(kFirst, kLast, leave_out_life_time)},
}};
constexpr auto kDeviations = described(kRows);
constexpr auto kEdits = edits_of(kRows);

}  // namespace

std::span<const ChainDeviationInfo> all_chain_deviations() {
  return kDeviations;
}

std::span<const InstructionEdit> chain_edits() {
  return kEdits;
}

}  // namespace wirelaw::umsp
