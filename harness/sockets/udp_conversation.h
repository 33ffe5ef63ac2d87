// SPDX-License-Identifier: Apache-2.0
// Conversations over UDP with a live peer: one to a peer that listens, or those that peers begin at a socket of ours.
#pragma once

#include <memory>

#include "harness/environment.h"
#include "harness/inboxes.h"
#include "harness/listener.h"
#include "harness/live_clock.h"
#include "harness/sockets/udp_socket.h"

namespace wirelaw {

// From a fresh local port to a peer that listens. The clock must outlive the conversation.
tl::expected<std::unique_ptr<Conversation>, CarriageError> connect_udp(const std::string& host, std::uint16_t port,
                                                                       const LiveClock& clock);

// One socket, and the peers that send to it: each is a conversation of its own.
class UdpListener final : public Listener {
 public:
  UdpListener(UdpSocket socket, const LiveClock& clock) : socket_(std::move(socket)), clock_(clock) {}

  pcap::Endpoint local() const override { return socket_.local(); }
  std::unique_ptr<Conversation> accept() override;
  void clear() override;

 private:
  friend class AcceptedConversation;

  UdpSocket socket_;
  const LiveClock& clock_;
  Inboxes inboxes_;
};

}  // namespace wirelaw
