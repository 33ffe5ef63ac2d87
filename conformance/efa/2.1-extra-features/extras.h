// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_extras(Judge& judge, const SeenPacket& seen, const TraceState& state);
// Judges the packets that the side sent before the peer's HANDSHAKE. Called once both HANDSHAKEs have come, or at the
// end.
void judge_early_extras(Judge& judge, Side side, TraceState& state, bool at_end);
void finish_early_extras(Judge& judge, Side side, const TraceState& state);

}  // namespace wirelaw::efa
