// SPDX-License-Identifier: Apache-2.0
// Receives datagrams, and learns how many the system has discarded before.
#pragma once

#include <asio/error_code.hpp>
#include <asio/ip/udp.hpp>
#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

struct ReceivedDatagram {
  std::size_t length = 0;
  asio::ip::udp::endpoint from;
  std::uint32_t dropped = 0;  // discarded by the system so far
};

// Makes calls return at once, gives the socket a large buffer, and lets the system count what it discards for lack of
// room (socket(7), SO_RXQ_OVFL).
void make_ready(asio::ip::udp::socket& socket);

// Receives one datagram into `buffer`. `dropped` is the count of the datagram before.
ReceivedDatagram receive_datagram(asio::ip::udp::socket& socket, OctetBuffer& buffer, std::uint32_t dropped,
                                  asio::error_code& code);

}  // namespace wirelaw
