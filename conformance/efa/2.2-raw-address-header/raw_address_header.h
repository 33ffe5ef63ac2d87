// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_raw_address_header(Judge& judge, const SeenPacket& seen, TraceState& state);
// Judges a raw address that came back after it had been left out, if nothing shows that the two have met again
// (EFA/A-87).
void finish_address_again(Judge& judge, TraceState& state);
// Judges the packets that `side` sent before the other side's HANDSHAKE. Called when the HANDSHAKE has come, or at the
// end of the flow.
void judge_early_requests(Judge& judge, Side side, bool handshake_came, const TraceState& state);

}  // namespace wirelaw::efa
