// SPDX-License-Identifier: Apache-2.0
// Options of one side of a session for chains (RFC 3018 7). Lengths are in octets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "reference/umsp/draft.h"

namespace wirelaw::umsp {

inline constexpr std::uint64_t kWindowBlock = 256;              // unit of the window in SESSION_OPEN (5.3.1)
inline constexpr std::size_t kMostChains = 65533;               // maximum at the same time in one session (7)
inline constexpr std::uint32_t kMostChainInstructions = 65535;  // maximum in one chain (7)
inline constexpr std::uint16_t kLastInstrNumber = 65534;

constexpr std::uint64_t window_octets(std::uint16_t announced) {
  return announced * kWindowBlock;
}

struct ReceiverOptions {
  std::uint64_t window = window_octets(256);  // announced by this side; 0: for the zero-session
  std::uint8_t address_octets = 4;            // length of this node's local addresses: 2, 3, 4 or 8
  // Limits for state that a peer can make this side hold.
  std::size_t chains = 1024;          // begun, but not ended or not answered
  std::size_t early = 4096;           // instructions that arrived before earlier ones
  std::size_t grants = 16;            // grants by REQ_BUF that no chain has used
  std::uint64_t granted = 16u << 20;  // granted by REQ_BUF, in total
  std::uint64_t segment = 1u << 16;   // for chains that have arrived in one segment so far
};

struct SenderOptions {
  std::uint64_t window = window_octets(256);  // announced by the peer; 0: for the zero-session
  // The kinds of chains that the peer accepts (5.3.4, S0 to S2).
  bool fragments = true, sequences = true, transactions = true;
  bool zero_session = false;   // chains must fit one segment, and there is no REQ_BUF (5.8)
  std::size_t segment = 1400;  // longest segment that the transport carries
  // Instructions may overtake each other: sequences occupy the window until delivered() (7.4, 7.5).
  bool several_connections = false;
  bool asks_when_full = false;  // a chain that fits the window, but not its free part, uses REQ_BUF (7.4)
  // The first REQ_ID of the layer's own requests. Those of the VM are below it.
  std::uint32_t first_req_id = 0x8000'0000;
  // Style of all output; lengths are counted as without `inherits`.
  Style style = {};
  std::size_t chains = 1024;         // begun and not finished
  std::uint64_t queue = 16u << 20;   // octets that wait to be sent
  std::uint64_t longest = 1u << 24;  // maximum length of a chain
  std::size_t asked = 1024;  // requests of the VM that are remembered, so that their responses can be renamed to RSP
};

}  // namespace wirelaw::umsp
