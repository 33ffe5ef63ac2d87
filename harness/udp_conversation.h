// SPDX-License-Identifier: Apache-2.0
// Conversations over UDP with a live peer: one to a peer that listens, or those that peers begin at a socket of ours.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "harness/environment.h"
#include "harness/udp_socket.h"

namespace wirelaw {

// The monotonic clock of a run, from 0.
class LiveClock {
 public:
  using Steady = std::chrono::steady_clock;

  Instant now() const { return Steady::now() - start_; }
  // Times that the clock cannot hold are as good as never.
  Steady::time_point at(Instant instant) const {
    constexpr Instant kNever = std::chrono::hours{24 * 365};
    return start_ + std::min(instant, kNever);
  }
  std::int64_t epoch_ns() const { return epoch_ns_; }

 private:
  Steady::time_point start_ = Steady::now();
  std::int64_t epoch_ns_ =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
};

// From a fresh local port to a peer that listens. The clock must outlive the conversation.
tl::expected<std::unique_ptr<Conversation>, CarriageError> connect_udp(const std::string& host, std::uint16_t port,
                                                                       const LiveClock& clock);

// One socket, and the peers that send to it: each is a conversation of its own.
class UdpListener {
 public:
  UdpListener(UdpSocket socket, const LiveClock& clock) : socket_(std::move(socket)), clock_(clock) {}

  pcap::Endpoint local() const { return socket_.local(); }
  // The next peer that has none of the conversations given out before; it may speak later. The listener must outlive
  // the conversation.
  std::unique_ptr<Conversation> accept();
  // Forgets the peers and what they have sent.
  void clear();

 private:
  friend class AcceptedConversation;

  struct Remote {
    pcap::Endpoint endpoint;
    bool claimed = false;
    std::deque<OctetBuffer> inbox;
  };

  Remote* claim();  // the first peer without a conversation; nullptr where there is none
  void sort(UdpDatagram datagram);

  UdpSocket socket_;
  const LiveClock& clock_;
  std::vector<std::unique_ptr<Remote>> remotes_;
};

}  // namespace wirelaw
