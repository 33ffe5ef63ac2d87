// SPDX-License-Identifier: Apache-2.0
// CONTROL_REQ, TASK_REG and TASK_CHK, and what answers them by REQ_ID (RFC 3018 5.1, 5.2).
#pragma once

#include "conformance/umsp/seen.h"

namespace wirelaw::umsp {

// What an answer breaks that answers nothing.
struct AnswerRules {
  const Rule& in_answer;  // none was asked for, or it was answered before
  const Rule& req_id;     // another request waits
};

// The extension header; nullptr where the instruction has none.
const ExtensionHeader* find_inaction_time(const Seen& seen);
std::optional<std::uint16_t> period_of(const ExtensionHeader& inaction_time);

// Keeps the request, which has its rule and kind; judges whether it shares its REQ_ID with another one by `unique`.
void keep_request(Judge& judge, const Seen& seen, const Rule& unique, ManagementRequest request);

// The request that the instruction answers; nullptr where that is not known, or a rule is broken.
const ManagementRequest* match_answer(Judge& judge, const Seen& seen, bool for_control, const AnswerRules& rules);

}  // namespace wirelaw::umsp
