// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables response_tables();
// Matches a response with its request, and keeps a request.
void judge_response(Judge& judge, const Seen& seen);
// After SND_CANCEL, no more instructions of the chain may come. Call this before the account of chains takes the
// instruction.
void judge_cancelled_chain(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
