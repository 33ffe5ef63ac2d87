// SPDX-License-Identifier: Apache-2.0
// A connection of a TcpService: its socket, and the octets that the peer has given it and that are not sent yet.
#pragma once

#include <asio/ip/tcp.hpp>
#include <cstddef>
#include <deque>
#include <optional>

#include "harness/transports/live_clock.h"
#include "reference/endpoint.h"

namespace wirelaw {

struct ServedConnection {
  // A client that moves fewer octets than this in ServeOptions::connection_idle is idle, even if it sends one now and
  // then.
  static constexpr std::size_t kLeastMoved = 64;

  explicit ServedConnection(asio::ip::tcp::socket made) : socket(std::move(made)) {}

  asio::ip::tcp::socket socket;
  std::deque<OctetBuffer> unsent;
  std::size_t sent_of_first = 0;
  std::size_t unsent_octets = 0;
  Ending to_send = Ending::none;  // end to send after the unsent octets
  bool we_ended = false;
  bool peer_ended = false;
  bool waits_to_read = false;
  bool waits_to_write = false;
  LiveClock::Steady::time_point progress = LiveClock::Steady::now();
  // The start of the period in which fewer than kLeastMoved octets have moved, and their number.
  LiveClock::Steady::time_point idle_since = LiveClock::Steady::now();
  std::size_t moved = 0;

  void has_moved(std::size_t octets);
  // Sends what the system takes now, and returns its number of octets. `aligns`: each piece begins a TCP segment, so
  // the system must not merge it with the next one (MSG_EOR).
  std::size_t send_some(bool aligns, asio::error_code& code);
  // The octets that a segment to the other side has room for. Empty if the system does not say it.
  std::optional<std::size_t> mss();
};

}  // namespace wirelaw
