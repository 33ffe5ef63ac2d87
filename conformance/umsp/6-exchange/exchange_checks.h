// SPDX-License-Identifier: Apache-2.0
// Checks that several instructions between VMs share (RFC 3018 6). Each takes the rule of its instruction.
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Requires that a _DATA header is present only if the operand is empty.
bool judge_data_once(Judge& judge, const SeenInstruction& seen, Operand operand, const Rule& once);
// Requires that the operand is not empty if there is no _DATA header.
void judge_data_there(Judge& judge, const SeenInstruction& seen, Operand operand, const Rule& there);
// Same as a warning, for cases in which another reading exists.
void advise_data_there(Judge& judge, const SeenInstruction& seen, Operand operand, const Rule& there);
// Judges the count before the data: an octet that is zero, and three octets that are not all zero.
void judge_count(Judge& judge, const SeenInstruction& seen, const Rule& zero, const Rule& not_none);
// Requires a _NAME header.
void judge_name_there(Judge& judge, const SeenInstruction& seen, const Rule& there);

}  // namespace wirelaw::umsp
