// SPDX-License-Identifier: Apache-2.0
// Checks that several instructions between VMs share (RFC 3018 6). Each takes the rule that its instruction has.
#pragma once

#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// A _DATA header is there only where the operand is empty.
bool judge_data_once(Judge& judge, const Seen& seen, Operand operand, const Rule& once);
// Without a _DATA header the operand is not empty.
void judge_data_there(Judge& judge, const Seen& seen, Operand operand, const Rule& there);
// The same where another reading exists.
void advise_data_there(Judge& judge, const Seen& seen, Operand operand, const Rule& there);
// The count of data in front of them: an octet of zero, and three that are not zero.
void judge_count(Judge& judge, const Seen& seen, const Rule& zero, const Rule& not_none);
// A _NAME header is there.
void judge_name_there(Judge& judge, const Seen& seen, const Rule& there);

// RSP: no code, or a basic code of 0.
bool says_yes(const Seen& seen);

}  // namespace wirelaw::umsp
