// SPDX-License-Identifier: Apache-2.0
// Two packets with one message ID cannot both be right: one endpoint sends one message under it to another (3.2). But
// either endpoint may have been replaced between the two (4.4), and the packets that show it may be missing. So
// findings are held back until connids exclude a replacement. They exclude it if all packets with message IDs have had
// the same connid, and the other side has shown one and the same connid before the first of the two packets and after
// the second.
#pragma once

#include <optional>
#include <span>

#include "conformance/efa/tracker/trace_state.h"

namespace wirelaw::efa {

// Called for every packet after it has been judged, with the findings held back for it and the connid that it contains.
void settle_contradictions(Judge& judge, std::span<const HeldBack> held, const SeenPacket& seen, TraceState& state,
                           std::optional<std::uint32_t> connid);

// The connid that the packet contains, in any of its headers.
std::optional<std::uint32_t> said_connid(const Packet& packet);

}  // namespace wirelaw::efa
