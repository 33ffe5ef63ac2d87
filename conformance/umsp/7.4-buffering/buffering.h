// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables buffering_tables();
// Called for the first instruction of a transaction or of fragments: judges whether a buffer was granted for it.
void judge_buffer_begin(Judge& judge, const Seen& seen, SessionHalf& half, ObservedChain& chain);
// Judges that the chain, together with all others that are open, fits the window of the receiver.
void judge_buffer_use(Judge& judge, const Seen& seen, ObservedSession& session, ObservedChain& chain);
void judge_buffer_end(Judge& judge, const Seen& seen, const ObservedChain& chain);
// Tracks REQ_BUF and its answers. Returns true if the instruction is such an answer.
bool follow_buffers(const Seen& seen, ObservedSession& session);

}  // namespace wirelaw::umsp
