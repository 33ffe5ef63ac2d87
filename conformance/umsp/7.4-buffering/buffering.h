// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables buffering_tables();
// Of the first instruction of a transaction or of fragments: what was granted for it.
void judge_buffer_begin(Judge& judge, const Seen& seen, SessionHalf& half, ObservedChain& chain);
// That the chain, and all that are open besides it, fit the window of the receiver.
void judge_buffer_use(Judge& judge, const Seen& seen, ObservedSession& session, ObservedChain& chain);
void judge_buffer_end(Judge& judge, const Seen& seen, const ObservedChain& chain);
// REQ_BUF, and what answers it. Gives whether the instruction is such an answer.
bool follow_buffers(const Seen& seen, ObservedSession& session);

}  // namespace wirelaw::umsp
