// SPDX-License-Identifier: Apache-2.0
// The judge of EFA RDM as oracle, and other checks that hold for any endpoint, whatever its peer does.
#pragma once

#include "conformance/efa/efa.h"
#include "fuzz/datagram_tap.h"
#include "fuzz/target.h"
#include "reference/efa/endpoint.h"

namespace wirelaw::fuzz {

// `gave_up`: returns whether the endpoint's patience has run out. The protocol has no timers: if the peer resumes
// later, packets that the endpoint then no longer sends are reported as missing (EFA/A-85).
inline Tap efa_tap(Honest honest, std::function<bool()> gave_up) {
  // The observer checks its memory every 256 packets. In between it may grow by at most one exchange and one window of
  // message IDs per packet.
  constexpr std::size_t kSlack = std::size_t{512} << 10;
  // A warning has no proof: the steps may have ended before a packet that is missing at the end.
  const auto argued = [gave_up = std::move(gave_up)](const Finding& finding) {
    return finding.severity == Severity::warning || (finding.evidence == Evidence::absence && gave_up());
  };
  return Tap(efa::kProtocol, honest, {.slack = kSlack}, argued);
}

// The longest time that a packet is in transit. Twice this time is well within the grace period of EFA/A-40.
inline constexpr Instant kMostFlight = std::chrono::milliseconds(40);

// True if an endpoint can recognise a duplicate of the packet. Without a message ID, a duplicate of a write or read is
// a second operation (3.3), and a duplicate of a CTS allows as much again (3.2). The device duplicates nothing (1.1).
inline bool can_be_told(Octets octets) {
  const auto packet = efa::decode(octets);
  if (!packet) return true;
  const efa::Layout* const layout = packet->layout();
  return !packet->is(efa::PacketType::cts) && (layout == nullptr || !layout->is_request() || layout->ordered());
}

// `limits`: the options of the endpoint.
inline void require_bounds(const efa::Endpoint& endpoint, const efa::Options& limits) {
  require(endpoint.octets_held() <= limits.held_octets, "an endpoint keeps to its memory");
  require(endpoint.operations() <= 2 * limits.max_operations, "an endpoint keeps to its number of operations");
  require(endpoint.peers() <= limits.max_peers, "an endpoint keeps to its number of peers");
}

}  // namespace wirelaw::fuzz
