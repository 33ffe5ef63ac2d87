// SPDX-License-Identifier: Apache-2.0
// Conversations over TCP with a live peer: one to a peer that listens, or those that peers make to a port of ours.
#pragma once

#include <memory>

#include "harness/environment.h"
#include "harness/listener.h"
#include "harness/live_clock.h"
#include "harness/sockets/tcp_socket.h"

namespace wirelaw {

// From a fresh local port to a peer that listens. The clock must outlive the conversation.
tl::expected<std::unique_ptr<Conversation>, CarriageError> connect_tcp(const std::string& host, std::uint16_t port,
                                                                       const LiveClock& clock);

// The address that the name stands for: where there are several, the first that accepts a connection.
tl::expected<pcap::Endpoint, CarriageError> find_tcp(const std::string& host, std::uint16_t port);

// A port, and the peers that connect to it: each connection is a conversation of its own.
class TcpListener final : public Listener {
 public:
  TcpListener(TcpAcceptor acceptor, const LiveClock& clock) : acceptor_(std::move(acceptor)), clock_(clock) {}

  pcap::Endpoint local() const override { return acceptor_.local(); }
  std::unique_ptr<Conversation> accept() override;
  void clear() override;

 private:
  friend class AcceptedConnection;

  TcpAcceptor acceptor_;
  const LiveClock& clock_;
};

}  // namespace wirelaw
