// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Returns true if the packet is a LONGCTS_RTM with the msg_id of a message that was refused by READ_NACK, and so begins
// no new message.
bool follows_read_nack(const SeenPacket& seen, TraceState& state);
void judge_read_nack(Judge& judge, const SeenPacket& seen, TraceState& state);
// Returns true if the packet is a LONGCTS_RTM with the msg_id of a message that was refused by READ_NACK, and so begins
// no new message. Judges a LONGCTS_RTM that continues such a message. False if it begins a new message.
bool judge_refused_message(Judge& judge, const SeenPacket& seen, TraceState& state);

}  // namespace wirelaw::efa
