// SPDX-License-Identifier: Apache-2.0
// Conversations over UDP with a live peer: one with a peer that listens, or those that peers begin at a local socket.
#pragma once

#include <memory>
#include <optional>

#include "harness/environment.h"
#include "harness/transports/inboxes.h"
#include "harness/transports/listener.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/udp/udp_socket.h"

namespace wirelaw {

// Sends from a fresh local port to a peer that listens. `from` is our address; empty: the system chooses it. The clock
// must outlive the conversation.
tl::expected<Connected, TransportError> connect_udp(const std::string& host, std::uint16_t port,
                                                    const std::optional<pcap::Address>& from, const LiveClock& clock);

// One socket, and the peers that send to it. Each peer is a separate conversation.
class UdpListener final : public Listener {
 public:
  // `host` is what the user calls our address.
  UdpListener(UdpSocket socket, std::string host, const LiveClock& clock)
      : socket_(std::move(socket)), host_(std::move(host)), clock_(clock) {}

  pcap::Endpoint local() const override { return socket_.local(); }
  std::string place() const override { return pcap::to_string(local()); }
  std::string place_here() const override { return wirelaw::place_here(host_, local().port); }
  Connected accept() override;
  void clear() override;

 private:
  friend class AcceptedConversation;

  UdpSocket socket_;
  std::string host_;
  const LiveClock& clock_;
  Inboxes inboxes_;
};

}  // namespace wirelaw
