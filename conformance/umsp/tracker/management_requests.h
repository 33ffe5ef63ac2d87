// SPDX-License-Identifier: Apache-2.0
// CONTROL_REQ, TASK_REG and TASK_CHK, and the answers that match them by REQ_ID (RFC 3018 5.1, 5.2).
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// The rules that an answer without a request breaks.
struct AnswerRules {
  const Rule& in_answer;  // no such request was sent, or it has been answered
  const Rule& req_id;     // another request waits
};

// The value of an operand; empty if the operands have a flaw, because the value may be wrong then.
std::optional<std::uint64_t> certain_value(const Seen& seen, Operand operand);
// Same, for a GJID.
std::optional<Identifier> certain_gjid(const Seen& seen);

// The index of the extension header _INACTION_TIME.
std::optional<std::size_t> find_inaction_time(const Seen& seen);
// Its period, in half seconds; empty if the header is absent or has other data.
std::optional<std::uint16_t> period_of(const Seen& seen);

// The name of a job in _NAME (UMSP/A18, UMSP/A35); empty if there is none.
std::optional<std::string> job_name_of(const Seen& seen);

// Moves the JCP's unanswered STATE_REQs of other connections to this one, because any connection may carry the answer.
void gather_questions(const Seen& seen, Side node);

// Judges a CTID that the other node, as JCP, has assigned to no task of the sender.
void judge_unknown_ctid(Judge& judge, const Seen& seen, const Rule& rule);

// Judges a task or job that the sender has already ended itself and that the JCP has not confirmed again since.
void judge_ended_once(Judge& judge, const Seen& seen, const Rule& rule, std::uint64_t ctid);

// Keeps the request. `request` contains its kind and rule.
void keep_request(const Seen& seen, ManagementRequest request);

// The request that the instruction answers; nullptr if it is unknown, or if a rule is broken.
const ManagementRequest* match_answer(Judge& judge, const Seen& seen, bool for_control, const AnswerRules& rules);

}  // namespace wirelaw::umsp
