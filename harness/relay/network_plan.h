// SPDX-License-Identifier: Apache-2.0
// The faults of the network that a relay plays: --network loss=0.02,delay=1-5. The parameters are those of
// memory:?loss=…, and for streams the place where the relay ends a connection.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/transports/network_faults.h"

namespace wirelaw {

struct NetworkPlan {
  // By default the relay changes nothing.
  NetworkFaults network_faults{.cut = std::numeric_limits<std::size_t>::max(), .delay_min = {}, .delay_max = {}};
  // Streams only: after this many octets, counted in both directions together, the relay closes or resets both legs.
  std::optional<std::uint64_t> close_after = {};
  std::optional<std::uint64_t> reset_after = {};

  bool cuts() const { return network_faults.cut != std::numeric_limits<std::size_t>::max(); }
  bool delays() const { return network_faults.delay_max > Instant{0}; }
};

// The protocol's carrier, which decides which faults its network may have.
enum class Carried : std::uint8_t {
  datagrams,           // UDP: all but those of streams
  reliable_datagrams,  // UDP in place of SRD, which loses and repeats nothing: delay, reordering
  stream,              // TCP: delay, cut, close, reset
  packets,             // a transparent relay, whatever the transport: as datagrams
};

// What carries a protocol with these transports (Protocol::transports) over this scheme, through a relay that is not
// transparent.
Carried carried_over(std::string_view transports, std::string_view scheme);

// Reads "loss=P,duplication=P,reordering=P,delay=MS[-MS]" or "delay=MS[-MS],cut=OCTETS,close=OCTETS,reset=OCTETS". The
// error is one line that says which parameter is wrong.
tl::expected<NetworkPlan, std::string> parse_network_plan(std::string_view text, Carried carried);

// Returns a separate seed for each direction of each connection or flow, so that the dice of one do not depend on when
// another throws. `number` is the connection's, from 1.
constexpr std::uint64_t seed_of(std::uint64_t seed, std::uint64_t number, bool from_initiator) {
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // odd, so that no two numbers give the same seed
  return seed * kSpread ^ (number * 2 + (from_initiator ? 1 : 0)) * (kSpread >> 1 | 1);
}

}  // namespace wirelaw
