// SPDX-License-Identifier: Apache-2.0
// Every rule of UMSP that a trace can show to be broken, by the section that demands it. A rule's id names its section,
// and the section the file: UMSP-5.3.1-4 is declared in s5_3_sessions.cc. Each check judges the sender of the message
// that the judge is at.
#pragma once

#include <span>

#include "conformance/section_rules.h"
#include "conformance/umsp/exchange_answers.h"
#include "conformance/umsp/instruction_rules.h"
#include "conformance/umsp/parties.h"
#include "conformance/umsp/seen.h"

namespace wirelaw::umsp {

// What the file of a section exports.
struct UmspSection {
  SectionRules rules;
  std::span<const InstructionRules> instructions = {};
  std::span<const ExtensionRules> extensions = {};
  std::span<const ExchangeAnswerRules> answers = {};
  std::span<const ExchangeResponseRules> responses = {};
};
// Of all sections, in the order of the document.
std::span<const UmspSection> sections();

// s2_1_addresses.cc: 2.1, 3.4
UmspSection address_rules();
// The addresses and identifiers among these operands, which lie at `offset` of the instruction. Called for all operands
// and data of extension headers that have a form.
void judge_addresses(Judge& judge, const OperandView& view, Octets operands, std::size_t offset);
// s2_3_transport.cc: 2.2, 2.3
UmspSection transport_rules();
// Of a GJID that a JCP assigns.
void judge_unique_gjid(Judge& judge, const Seen& seen, const Parties& parties, const Identifier& gjid,
                       const ManagementRequest& request);

// s3_1_header.cc: 3, 3.1
UmspSection header_rules();
void judge_header(Judge& judge, const Seen& seen);
// The stream has ended by FIN; of its latest instruction so many octets were there.
void judge_stream_end(Judge& judge, const Message& message, std::size_t left);
// Of its rules, those that the account of requests (s4_responses.cc) and of sessions (sessions.cc) judge.
extern const Rule kRequestsDiffer;
extern const Rule kSessionIdOfReceiver;

// s3_2_extension_headers.cc: 3.2
UmspSection extension_header_rules();
void judge_extension_headers(Judge& judge, const Seen& seen);

// s3_3_operands.cc: 3.3
UmspSection operand_rules();
void judge_padding(Judge& judge, const Seen& seen);

// s4_responses.cc: 4 to 4.2
UmspSection response_rules();
// Matches a response with its request, and keeps a request.
void judge_response(Judge& judge, const Seen& seen);
// Of its rules, the one of the SESSION_ID of RSP and RSP_P.
extern const Rule kRspSession;
// The request of the other side that this response repeats the REQ_ID of; nullptr where none is known.
const ObservedRequest* find_answered(const Seen& seen);
// What of requests this side could have answered was all seen: where find_answered() finds none there was none, unless
// it came on another connection (3.4).
bool knows_requests(const Seen& seen);
// Of a chain that SND_CANCEL has ended nothing more comes; before the account of chains takes the instruction.
void judge_cancelled_chain(Judge& judge, const Seen& seen);

// s5_identifiers.cc: 5, what all of job management shares
UmspSection management_rules();
void judge_management(Judge& judge, const Seen& seen);

// s5_1_jobs.cc: 5.1
UmspSection job_rules();
void judge_job(Judge& judge, const Seen& seen);
// s5_2_tasks.cc: 5.2
UmspSection task_rules();
void judge_task(Judge& judge, const Seen& seen);
// s5_3_sessions.cc: 5.3 to 5.3.3
UmspSection session_rules();
// Of instructions of the handshake: that it is their turn, and that they keep what stays. Gives whether they do.
bool judge_handshake(Judge& judge, const Seen& seen, const ObservedSession& session);
// Of an instruction on a session: that its sender has not left it for another one of the same job.
void judge_replaced(Judge& judge, const Seen& seen, const ObservedSession& session);
// At SESSION_REJECT, `unused`; and at what its sender sends on the session later.
void judge_after_reject(Judge& judge, const Seen& seen, bool unused);
// The rule of an instruction's SESSION_ID: its section's, or that of 3.1; nullptr if another one has judged it.
const Rule* names_session_rule(const Seen& seen);
// s5_3_4_profile.cc: 5.3.4
UmspSection profile_rules();
// The profiles in a SESSION_OPEN.
void judge_profiles(Judge& judge, const Seen& seen);
// That the instruction keeps to what its receiver offers: in a session; without one.
void judge_by_profile(Judge& judge, const Seen& seen, const ObservedSession& session);
void judge_by_zero_profile(Judge& judge, const Seen& seen);
// s5_4_closing.cc: 5.4
UmspSection closing_rules();
// Gives whether the instruction does to the session what it says.
bool judge_closing(Judge& judge, const Seen& seen, const ObservedSession& session);
// At SESSION_ABEND, `nothing`; and at what its sender sends on the session later.
void judge_after_abend(Judge& judge, const Seen& seen, bool nothing);
const Rule* names_closing_rule(Opcode opcode);
// At the end of the flow, of a session whose closing was accepted.
void judge_abend_came(Judge& judge, const Connection& connection, const ObservedSession& session);
// s5_5_task_ends.cc: 5.5
UmspSection task_end_rules();
void judge_task_end(Judge& judge, const Seen& seen);
// s5_6_job_ends.cc: 5.6
UmspSection job_end_rules();
void judge_job_end(Judge& judge, const Seen& seen);
// At the end of the flow, of what a JCP owed to the other node: that a task, or a job, has ended.
void judge_notices(Judge& judge, const Connection& connection);
void judge_task_notice(Judge& judge, const JobNotice& notice);
// s5_7_activity.cc: 5.7
UmspSection activity_rules();
void judge_activity(Judge& judge, const Seen& seen);
// _INACTION_TIME in a TASK_REG, and in the answer to `request`.
void judge_inaction_of_registration(Judge& judge, const Seen& seen);
void judge_inaction_of_answer(Judge& judge, const Seen& seen, const ManagementRequest& request);
// s5_8_zero_session.cc: 5.8
UmspSection zero_session_rules();
bool is_of_zero_session(const Seen& seen);
void judge_zero_session(Judge& judge, const Seen& seen);

// s6_exchange.cc: 6
UmspSection exchange_rules();
// What all of them share; matches a response with its request, and keeps a request.
void judge_exchange(Judge& judge, const Seen& seen);
// s6_1_memory.cc: 6.1, 6.2
UmspSection memory_rules();
// As many octets as `asked` asks for, and padding.
void judge_data_asked_for(Judge& judge, const Seen& seen, const Asked& asked);
// Octets of data in DATA; nothing if it has them in operands and in a header.
std::optional<std::uint64_t> octets_of_answer(const Seen& seen);
// What a positive answer says that a comparison has found.
void judge_comparison(Judge& judge, const Seen& seen, const Asked& asked);
// s6_3_control.cc: 6.3
UmspSection control_rules();
// s6_4_memory_control.cc: 6.4
UmspSection memory_control_rules();
// s6_5_other.cc: 6.5
UmspSection other_rules();
// s6_6_objects.cc: 6.6, 6.6.4, 6.6.5
UmspSection object_rules();
// Number, version and realization of the object in any instruction. False: the number is one of none.
bool judge_object(Judge& judge, const Seen& seen);
// s6_6_1_object_data.cc: 6.6.1, 6.6.2
UmspSection object_data_rules();
// s6_6_3_procedures.cc: 6.6.3
UmspSection procedure_rules();

// s7_chains.cc: 7, 7.1
UmspSection chain_rules();
// What the instruction is of its chain; keeps the account of chains.
void judge_chain(Judge& judge, const Seen& seen);
// At the end of the flow, of instructions whose chain has not shown the one before them.
void judge_orphans(Judge& judge, Connection& connection);
// A datagram has ended: so have its chains.
void judge_datagram_chains(Judge& judge, Connection& connection);
// An extension header has nothing behind what its form says, but zeros up to a border of four octets where one of the
// sides may have asked for that (S20).
bool is_without_more(const Seen& seen, std::size_t index);
// A chain of this side was ended by an instruction about it.
void end_controlled_chain(const Seen& seen, SessionHalf& half, std::uint16_t number);
// s7_2_transactions.cc: 7.2
UmspSection transaction_rules();
// EXEC_TR, CANCEL_TR and SND_CANCEL: that there is such a transaction; keeps the account.
void judge_chain_control(Judge& judge, const Seen& seen, SessionHalf& half, std::uint16_t number);
// What its first instruction says of a transaction.
void note_transaction(const Seen& seen, ObservedChain& chain);
// s7_3_fragments.cc: 7.3
UmspSection fragment_rules();
// What its first instruction says of a chain of fragments, and of its parental chain.
void note_fragments(const Seen& seen, SessionHalf& half, ObservedChain& chain);
// Of each instruction of such a chain; gives whether it can be one.
bool judge_fragment(Judge& judge, const Seen& seen, ObservedChain& chain, bool ends);
// s7_4_buffering.cc: 7.4
UmspSection buffering_rules();
// Of the first instruction of a transaction or of fragments: what was granted for it.
void judge_buffer_begin(Judge& judge, const Seen& seen, SessionHalf& half, ObservedChain& chain);
void judge_buffer_use(Judge& judge, const Seen& seen, const SessionHalf& receiver, ObservedChain& chain);
void judge_buffer_end(Judge& judge, const Seen& seen, const ObservedChain& chain);
// REQ_BUF, and what answers it. Gives whether the instruction is such an answer.
bool follow_buffers(const Seen& seen, ObservedSession& session);
// s7_5_acknowledgement.cc: 7.5
UmspSection acknowledgement_rules();
void judge_chain_ask(Judge& judge, const Seen& seen);
// s7_6_base.cc: 7.6
UmspSection base_rules();
// What sets the base of the chain.
void judge_base(Judge& judge, const Seen& seen, ObservedChain& chain);

// s8_extension_headers.cc: 8
UmspSection common_extension_rules();
// What the first fragment shows of a fragmented instruction's extension headers.
void judge_first_fragment(Judge& judge, const Seen& seen);

// s9_search.cc: 9, 10
UmspSection search_rules();
// Of the VM that a SESSION_OPEN names in these operands, that its numbers are not the reserved ones.
void judge_vm_of_session(Judge& judge, const Seen& seen, Operand type, Operand version);

}  // namespace wirelaw::umsp
