// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Returns false if the address is incomplete: a receiver cannot use the packet.
bool judge_raw_address(Judge& judge, const SeenPacket& seen, TraceState& state);

// Handles a packet of an endpoint that another one has replaced (4.4).
bool is_of_replaced(const SeenPacket& seen, const TraceState& state);
void note_replaced(Judge& judge, const SeenPacket& seen, TraceState& state);
// Treats the sender as another endpoint until the end of the flow shows if it started like one. Its connid is at
// `where`.
void begin_anew_for_now(Judge& judge, const SeenPacket& seen, OctetRange where, std::uint32_t former,
                        std::uint32_t connid, TraceState& state);
// Called before another endpoint may take its place, and at the end of the flow.
void finish_replacement(Judge& judge, TraceState& state);

}  // namespace wirelaw::efa
