// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_msg_id(Judge& judge, const SeenPacket& seen, TraceState& state);
// Notes the message ID of a packet that is not judged.
void note_msg_id(const SeenPacket& seen, TraceState& state);
// Called for a packet with a message ID before anything in it is judged, to see if its sender counts anew (EFA/A-87).
inline bool may_meet_again(const SeenPacket& seen) {
  return seen.layout.ordered() && (seen.packet.msg_id == 0 || seen.packet.has(flag::kRawAddress));
}
void note_meeting_again(Judge& judge, const SeenPacket& seen, TraceState& state);
void note_greeting_again(Side sender, const Mark& handshake, TraceState& state);
void finish_meeting_again(Judge& judge, TraceState& state);

}  // namespace wirelaw::efa
