// SPDX-License-Identifier: Apache-2.0
// CONTROL_REQ, TASK_REG and TASK_CHK, and the answers that match them by REQ_ID (RFC 3018 5.1, 5.2).
#pragma once

#include "conformance/umsp/tracker/job_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Moves the JCP's unanswered STATE_REQs of other connections to this one, because any connection may carry the answer.
void gather_questions(const Seen& seen, Side node);

// Returns true if the other node, as JCP, has assigned the CTID to a task of the sender; empty if it is unknown.
std::optional<bool> is_known_ctid(const Seen& seen);

// The sender ends the task or job with this CTID.
EndedOnceFact end_once(const Seen& seen, std::uint64_t ctid);

// Keeps the request. `request` contains its kind.
void keep_request(const Seen& seen, ManagementRequest request);

// Takes the request that an answer to CONTROL_REQ, or to one of the other two, repeats the REQ_ID of.
AnswerFact follow_answer(const Seen& seen, bool for_control);

}  // namespace wirelaw::umsp
