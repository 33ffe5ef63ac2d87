// SPDX-License-Identifier: Apache-2.0
// Conversations over TCP with a live peer: one with a peer that listens, or those that peers make to a local port.
#pragma once

#include <memory>
#include <optional>

#include "harness/environment.h"
#include "harness/transports/listener.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/tcp/tcp_socket.h"

namespace wirelaw {

// Connects from a fresh local port to a peer that listens. `from` is our address; empty: the system chooses it. The
// clock must outlive the conversation.
tl::expected<Connected, TransportError> connect_tcp(const std::string& host, std::uint16_t port,
                                                    const std::optional<pcap::Address>& from, const LiveClock& clock);

// The address for the name: if there are several, the first that accepts a connection.
tl::expected<pcap::Endpoint, TransportError> find_tcp(const std::string& host, std::uint16_t port);

// A port, and the peers that connect to it. Each connection is a separate conversation.
class TcpListener final : public Listener {
 public:
  // `host` is what the user calls our address.
  TcpListener(TcpAcceptor acceptor, std::string host, const LiveClock& clock)
      : acceptor_(std::move(acceptor)), host_(std::move(host)), clock_(clock) {}

  pcap::Endpoint local() const override { return acceptor_.local(); }
  std::string place() const override { return pcap::to_string(local()); }
  std::string place_here() const override { return wirelaw::place_here(host_, local().port); }
  Connected accept() override;
  void clear() override;

 private:
  friend class AcceptedConnection;

  TcpAcceptor acceptor_;
  std::string host_;
  const LiveClock& clock_;
};

}  // namespace wirelaw
