// SPDX-License-Identifier: Apache-2.0
// The way to a peer at a host and a port, of UDP and TCP alike.
#pragma once

#include "harness/carriages/connector.h"
#include "harness/carriages/live_clock.h"
#include "harness/uri.h"
#include "pcap/address.h"

namespace wirelaw {

class SocketConnector final : public Connector {
 public:
  using Connect = tl::expected<Connected, CarriageError> (*)(const std::string& host, std::uint16_t port,
                                                             const LiveClock& clock);

  // `host` is what the user calls the address.
  SocketConnector(Connect how, const std::string& host, const pcap::Endpoint& at, const LiveClock& clock)
      : connect_(how),
        place_(host_and_port(host, at.port)),
        address_(pcap::to_string(at.address)),
        port_(static_cast<std::uint16_t>(at.port)),
        clock_(clock) {}

  std::string place() const override { return place_; }
  std::string capture_note() const override { return "iut=" + host_and_port(address_, port_); }
  tl::expected<Connected, CarriageError> connect() override { return connect_(address_, port_, clock_); }

 private:
  Connect connect_;
  std::string place_;
  std::string address_;
  std::uint16_t port_;
  const LiveClock& clock_;
};

}  // namespace wirelaw
