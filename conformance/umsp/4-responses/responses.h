// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables response_tables();
// Matches a response with its request, and keeps a request.
void judge_response(Judge& judge, const Seen& seen);
// The request of the other side that this response repeats the REQ_ID of; nullptr where none is known.
const ObservedRequest* find_answered(const Seen& seen);
// What of requests this side could have answered was all seen: where find_answered() finds none there was none, unless
// it came on another connection (3.4).
bool knows_requests(const Seen& seen);
// Of a chain that SND_CANCEL has ended nothing more comes; before the account of chains takes the instruction.
void judge_cancelled_chain(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
