// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Checks the first HANDSHAKE of a side.
void check_handshake(Judge& judge, const Message& message, const HandshakeFact& fact);
// Warns about HANDSHAKEs after the first, if nothing shows that the two have met again (EFA/A-87).
void advise_one_handshake(Judge& judge, std::span<const TraceState::MeetingAgain::Handshake> handshakes);
// Judges, at the end of the flow, a side that has sent none.
void finish_handshake(Judge& judge, Side side, const TraceState& state);

}  // namespace wirelaw::efa
