// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_peer_error(Judge& judge, const SeenPacket& seen, const PeerErrorFact& fact);
void check_given_up(Judge& judge, const SeenPacket& seen, const GivenUpFact& fact);
// Called at the end of the flow: judges messages that were given up and never began.
void finish_peer_errors(Judge& judge, Side side, const TraceState& state);

}  // namespace wirelaw::efa
