// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_handshake(Judge& judge, const SeenPacket& seen, TraceState& state);
// Warns about HANDSHAKEs after the first, if nothing shows that the two have met again (EFA/A-87).
void advise_one_handshake(Judge& judge, std::span<const TraceState::MeetingAgain::Handshake> handshakes);
// The part of judge_handshake() for a HANDSHAKE that may be one that cannot be decoded.
void judge_greeting(Judge& judge, const Message& message, TraceState& state);
void finish_handshake(Judge& judge, TraceState& state);

}  // namespace wirelaw::efa
