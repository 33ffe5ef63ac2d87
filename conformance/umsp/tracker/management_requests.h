// SPDX-License-Identifier: Apache-2.0
// CONTROL_REQ, TASK_REG and TASK_CHK, and what answers them by REQ_ID (RFC 3018 5.1, 5.2).
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// What an answer breaks that answers nothing.
struct AnswerRules {
  const Rule& in_answer;  // none was asked for, or it was answered before
  const Rule& req_id;     // another request waits
};

// The value of an operand; nothing where the operands have a flaw, as it may be another one then.
std::optional<std::uint64_t> certain_value(const Seen& seen, Operand operand);
// Likewise a GJID.
std::optional<Identifier> certain_gjid(const Seen& seen);

// Which of the extension headers is _INACTION_TIME.
std::optional<std::size_t> find_inaction_time(const Seen& seen);
// Its period, in half seconds; nothing where the header is not there, or has other data.
std::optional<std::uint16_t> period_of(const Seen& seen);

// The name of a job in _NAME (UMSP/A18, UMSP/A35); nothing where there is none.
std::optional<std::string> job_name_of(const Seen& seen);

// What the JCP has asked the node for by STATE_REQ on other connections waits here from now on: an answer goes to any.
void gather_questions(const Seen& seen, Side node);

// A CTID that the other node, as JCP, has given to no task of the sender.
void judge_unknown_ctid(Judge& judge, const Seen& seen, const Rule& rule);

// A task or job of the sender that it has ended itself before, and that the JCP has confirmed no more since then.
void judge_ended_once(Judge& judge, const Seen& seen, const Rule& rule, std::uint64_t ctid);

// Keeps the request, of which `request` says its kind and rule.
void keep_request(const Seen& seen, ManagementRequest request);

// The request that the instruction answers; nullptr where that is not known, or a rule is broken.
const ManagementRequest* match_answer(Judge& judge, const Seen& seen, bool for_control, const AnswerRules& rules);

}  // namespace wirelaw::umsp
