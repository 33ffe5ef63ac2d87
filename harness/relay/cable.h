// SPDX-License-Identifier: Apache-2.0
// The two ends of a transparent relay, one for each peer. They carry whole Ethernet frames, without the frame check
// sequence.
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>
#include <functional>
#include <memory>

#include "harness/relay/peer_networks.h"
#include "reference/octets/octets.h"

namespace wirelaw {

class Cable {
 public:
  // The frame is valid during the call.
  using Arrived = std::function<void(bool from_initiator, Octets frame)>;

  virtual ~Cable() = default;
  virtual void start(Arrived arrived) = 0;
  // An error means that the frame was not sent.
  virtual asio::error_code send(bool to_initiator, Octets frame) = 0;
  // The number of frames that the system has dropped before the relay could read them.
  virtual std::uint64_t dropped() const = 0;
};

// The peers are in `networks`, which outlive the cable.
std::unique_ptr<Cable> cable_between(asio::io_context& context, const std::array<PeerNetwork, 2>& networks);

// The peers are virtual machines whose network cards send each frame as a UDP datagram to `socket` (QEMU: -netdev
// socket,udp=…,localaddr=…). Datagrams from `responder`, which has the socket's address family, are frames of the
// responder. The first other sender is the initiator's machine; datagrams from further senders are ignored.
std::unique_ptr<Cable> cable_between_guests(asio::ip::udp::socket& socket, const asio::ip::udp::endpoint& responder);

}  // namespace wirelaw
