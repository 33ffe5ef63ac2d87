// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_msg_id(Judge& judge, const SeenPacket& seen, std::optional<bool> is_new);
// Called for a packet with a message ID before anything in it is judged, to see if its sender counts anew (EFA/A-87).
inline bool may_meet_again(const SeenPacket& seen) {
  return seen.layout.ordered() && (seen.packet.msg_id == 0 || seen.packet.has(flag::kRawAddress));
}
void note_meeting_again(Judge& judge, const SeenPacket& seen, TraceState& state);
void finish_meeting_again(Judge& judge, TraceState& state);

}  // namespace wirelaw::efa
