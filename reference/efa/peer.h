// SPDX-License-Identifier: Apache-2.0
// An endpoint's state for a peer: its capabilities, once the HANDSHAKE has announced them (2.1), and the two sequences
// of messages.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "reference/efa/capability.h"
#include "reference/efa/reorder.h"
#include "reference/efa/timers.h"
#include "reference/endpoint.h"

namespace wirelaw::efa {

struct Peer {
  Peer(PeerId peer, std::uint32_t first_msg_id, std::uint32_t window, OctetBudget& budget)
      : id(peer), next_msg_id(first_msg_id), order(first_msg_id, window, budget) {}

  PeerId id;
  Instant last_packet{};
  std::optional<std::uint32_t> connid = {};

  bool handshake_sent = false;
  bool handshake_received = false;
  bool asked = false;            // has been sent a packet that requires a HANDSHAKE from it
  std::uint64_t extra_info = 0;  // first member of extra_info; later members announce nothing that this endpoint knows
  bool reachable = true;         // the peer's device reaches all memory that it may name (table 2.3 of later documents)
  bool wants_user_recv_qp = false;  // its messages go to another queue pair (4.8 of later documents)
  bool announces(Extra extra) const { return (extra_info >> static_cast<unsigned>(extra) & 1) != 0; }

  std::uint64_t packets = 0;  // number of packets received

  // Transmissions to the peer.
  std::uint32_t next_msg_id;
  std::deque<std::uint32_t> held = {};  // transmissions that have not begun, in call order

  // Receptions from the peer.
  Reorder order;
  std::map<std::uint32_t, std::uint32_t> messages = {};  // receptions with several REQ packets, by msg_id
  std::map<std::uint32_t, std::uint32_t> writes = {};    // receptions of long writes, by the peer's send_id
  std::map<std::uint32_t, std::uint32_t> reads = {};     // transmissions that answer its reads, by its recv_id
  std::optional<Timers::Handle> gap_timer = {};
  std::uint32_t gap_at = 0;  // msg_id that was missing when the timer was set

  std::size_t operations = 0;  // in progress, in both directions
};

}  // namespace wirelaw::efa
