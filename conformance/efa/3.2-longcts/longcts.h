// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_longcts_message(Judge& judge, const SeenPacket& seen, TraceState& state);
// Judges the send_id in the first packet of a message, before its exchange begins.
void judge_send_id(Judge& judge, const SeenPacket& seen, TraceState& state);

}  // namespace wirelaw::efa
