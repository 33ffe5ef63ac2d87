// SPDX-License-Identifier: Apache-2.0
// Findings that only a replaced endpoint (4.4) could explain, whose first packets were not captured: a packet with
// another connid, or one that contradicts what the peer announced. An endpoint has one connid, a random number, for
// life. An endpoint was there when a packet was sent, and nobody had replaced it, if it shows its connid long before
// the packet and again long after it: longer than anything is in transit (EFA/A-40).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

class SameEndpoints {
 public:
  // Called for every packet after it has been judged, with the findings held back for it and the connid that it
  // contains.
  void settle(Judge& judge, std::span<const HeldBack> all_held, const SeenPacket& seen, const TraceState& state,
              std::optional<std::uint32_t> connid);
  // Settles the findings held back for a packet with another connid at `time_ns`: the previous connid was seen again
  // long after it.
  void settle_returned(Judge& judge, std::span<const HeldBack> all_held, Side side, std::uint32_t connid,
                       std::int64_t time_ns) const;

 private:
  using Connid = std::optional<std::uint32_t>;
  // A connid, and when a packet showed it.
  struct Shown {
    std::uint32_t connid = 0;
    std::int64_t time_ns = 0;
  };
  struct Endpoint {
    std::optional<Shown> first, at_handshake;  // the first in any packet; that in the first HANDSHAKE
  };
  // A held-back finding that waits until each side shows its connid after this time.
  struct Waiting {
    HeldBack held;
    std::int64_t time_ns = 0;
    std::array<Connid, 2> awaited;  // connids of side a and of side b
  };

  void note_held(const HeldBack& held, const SeenPacket& seen, const TraceState& state, Connid said);
  void note_shown(Judge& judge, const SeenPacket& seen, const TraceState& state, std::uint32_t connid);

  std::array<Endpoint, 2> endpoints_;
  std::vector<Waiting> waiting_;
};

}  // namespace wirelaw::efa
