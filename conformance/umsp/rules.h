// SPDX-License-Identifier: Apache-2.0
// Every rule of UMSP that a trace can show to be broken, by the section that demands it. A rule's id names its section,
// and the section the file: UMSP-5.3.1-4 is declared in s5_3_sessions.cc. Each check judges the sender of the message
// that the judge is at.
#pragma once

#include <span>

#include "conformance/section_rules.h"
#include "conformance/umsp/instruction_rules.h"
#include "conformance/umsp/seen.h"

namespace wirelaw::umsp {

// What the file of a section exports.
struct UmspSection {
  SectionRules rules;
  std::span<const InstructionRules> instructions = {};
  std::span<const ExtensionRules> extensions = {};
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

// s3_1_header.cc: 3, 3.1
UmspSection header_rules();
void judge_header(Judge& judge, const Seen& seen);
// Of its rules, those that the account of chains (s7_chains.cc) and that of requests (s4_responses.cc) judge.
extern const Rule kInstrNumberRises;
extern const Rule kInstrNumberFromZero;
extern const Rule kRequestsDiffer;

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
// The request of the other side that this response repeats the REQ_ID of; nullptr where none is known.
const Request* find_answered(const Seen& seen);
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
// s5_3_sessions.cc: 5.3
UmspSection session_rules();
// s5_4_closing.cc: 5.4
UmspSection closing_rules();
// s5_5_task_ends.cc: 5.5
UmspSection task_end_rules();
void judge_task_end(Judge& judge, const Seen& seen);
// s5_6_job_ends.cc: 5.6
UmspSection job_end_rules();
void judge_job_end(Judge& judge, const Seen& seen);
// s5_7_activity.cc: 5.7
UmspSection activity_rules();
void judge_activity(Judge& judge, const Seen& seen);
// _INACTION_TIME in a TASK_REG, and in the answer to `request`.
void judge_inaction_of_registration(Judge& judge, const Seen& seen);
void judge_inaction_of_answer(Judge& judge, const Seen& seen, const ManagementRequest& request);
// s5_8_zero_session.cc: 5.8
UmspSection zero_session_rules();

// s6_exchange.cc: 6
UmspSection exchange_rules();
void judge_exchange(Judge& judge, const Seen& seen);
// s6_1_memory.cc: 6.1, 6.2
UmspSection memory_rules();
// s6_3_control.cc: 6.3 to 6.5
UmspSection control_rules();
// s6_6_objects.cc: 6.6
UmspSection object_rules();

// s7_chains.cc: 7 to 7.3, 7.5
UmspSection chain_rules();
// What the instruction is of its chain; keeps the account of chains.
void judge_chain(Judge& judge, const Seen& seen);
// s7_4_buffering.cc: 7.4
UmspSection buffering_rules();
// s7_6_base.cc: 7.6
UmspSection base_rules();

// s8_extension_headers.cc: 8
UmspSection common_extension_rules();
// What the first fragment shows of a fragmented instruction's extension headers.
void judge_first_fragment(Judge& judge, const Seen& seen);

// s9_search.cc: 9, 10
UmspSection search_rules();

}  // namespace wirelaw::umsp
