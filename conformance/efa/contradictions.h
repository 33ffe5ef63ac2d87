// SPDX-License-Identifier: Apache-2.0
// Two packets that cannot both be right, since they have one message ID: one endpoint sends one message under it to
// another (3.2). Either may have been replaced between the two (4.4), and the packets that show it may be missing;
// until connids exclude that, what is found is held back. They do where all packets with message IDs had the same one,
// and the other side has shown one and the same before the first of the two and behind the second.
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
