// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_peer_error(Judge& judge, const SeenPacket& seen, TraceState& state);
// True if the packet belongs to an operation that one side has given up: it is not judged further. Always false before
// the first PEER_ERROR.
bool is_given_up(Judge& judge, const SeenPacket& seen, TraceState& state);
// Called at the end of the flow: judges messages that were given up and never began.
void finish_peer_errors(Judge& judge, Side side, const TraceState& state);

}  // namespace wirelaw::efa
