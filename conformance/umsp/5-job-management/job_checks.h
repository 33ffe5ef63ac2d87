// SPDX-License-Identifier: Apache-2.0
// Checks that several sections of job management share (RFC 3018 5). Each takes the rule of its section.
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/job_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Checks an instruction that only a JCP sends, to a node with a task that it has confirmed.
void check_is_jcp(Judge& judge, const Rule& rule, const std::optional<bool>& has_task);
// Checks that a node uses no session of a job or a task that has ended for it.
void check_use_after_end(Judge& judge, const SeenInstruction& seen, const Rule& rule,
                         const std::optional<UseAfterEndFact>& fact);
// Checks a CTID of the sender, which the JCP has assigned.
void check_known_ctid(Judge& judge, const SeenInstruction& seen, const Rule& rule, const std::optional<bool>& is_known);
// Checks a task or a job that its node ends.
void check_ended_once(Judge& judge, const SeenInstruction& seen, const Rule& rule, const EndedOnceFact& fact);

// Checks a session of a job or a task that its node has ended, and that it has not ended before the flow ends.
void check_missing_abend(Judge& judge, const Rule& rule, const MissingAbendFact& fact, std::string_view end);
// Returns the message of a mark, without its octets.
inline Message message_at(Side sender, const MessageMark& mark) {
  return {.sender = sender, .index = mark.index, .frame = mark.frame, .time_ns = mark.time_ns};
}

// The rules that an answer without a request breaks.
struct AnswerRules {
  const Rule& in_answer;  // no such request was sent, or it has been answered
  const Rule& req_id;     // another request waits
};
void check_answer(Judge& judge, const SeenInstruction& seen, const AnswerFact& fact, const AnswerRules& rules);

}  // namespace wirelaw::umsp
