// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables response_tables();
// Matches a response with its request, and keeps a request.
void judge_response(Judge& judge, const Seen& seen);
// The request of the other side whose REQ_ID this response repeats; nullptr if none is known.
const ObservedRequest* find_answered(const Seen& seen);
// True if every request that this side could have answered was seen. If find_answered() then finds none, there was
// none, unless it came on another connection (3.4).
bool knows_requests(const Seen& seen);
// After SND_CANCEL, no more instructions of the chain may come. Call this before the account of chains takes the
// instruction.
void judge_cancelled_chain(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
