// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_later_handshake(Judge& judge, const SeenPacket& seen, const TraceState& state);
// Judges a REQ packet that goes to the default queue pair.
void judge_default_queue_pair(Judge& judge, const SeenPacket& seen, TraceState& state);

}  // namespace wirelaw::efa
