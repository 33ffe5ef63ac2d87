// SPDX-License-Identifier: Apache-2.0
// Two packets with one message ID cannot both be right: one endpoint sends one message under it to another (3.2). But
// either endpoint may have been replaced between the two (4.4), and the packets that show it may be missing. So
// findings are held back until connids exclude a replacement. They exclude it if all packets with message IDs have had
// the same connid, and the other side has shown one and the same connid before the first of the two packets and after
// the second.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

class Contradictions {
 public:
  // Called for every packet with a message ID or a connid after it has been judged, with the findings held back for it.
  void settle(Judge& judge, std::span<const HeldBack> all_held, const SeenPacket& seen, TraceState& state,
              std::optional<std::uint32_t> connid);

 private:
  struct Waiting {
    Side sender = Side::a;
    HeldBack held;
  };

  void note_ids(std::span<const HeldBack> all_held, const SeenPacket& seen, TraceState& state,
                std::optional<std::uint32_t> connid);
  void note_peer(Judge& judge, Side sender, TraceState& state, std::uint32_t connid);

  std::vector<Waiting> waiting_;
  std::uint64_t beginnings_ = 0;  // TraceState::beginnings() of the findings in `waiting_`
};

}  // namespace wirelaw::efa
