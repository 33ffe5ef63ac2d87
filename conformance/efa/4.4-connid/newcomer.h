// SPDX-License-Identifier: Apache-2.0
// Answers with another connid that may arrive before the evidence that another endpoint has taken their sender's place
// (4.4). SRD keeps no order, so an answer may overtake the HANDSHAKE that its sender sent before it.
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// The packet has another connid than its sender's, and does not itself show another endpoint.
bool is_ahead_of_newcomer(const SeenPacket& seen, const TraceState& state);
// Keeps such a packet: it is not judged further.
void note_ahead_of_newcomer(const SeenPacket& seen, TraceState& state);
// True if the sender's previous connid is seen again so long after these packets that another endpoint cannot explain
// them.
bool disproves_newcomer(const SeenPacket& seen, const TraceState& state);
// Reports the waiting packets of this side, because nothing has shown another endpoint in its place. `disproved`: there
// certainly is none.
void finish_ahead_of_newcomer(Judge& judge, Side side, bool disproved, TraceState& state);

}  // namespace wirelaw::efa
