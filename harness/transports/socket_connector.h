// SPDX-License-Identifier: Apache-2.0
// The way to a peer at a host and a port, of UDP and TCP alike.
#pragma once

#include <memory>
#include <optional>

#include "harness/transports/connector.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/nodes.h"
#include "harness/transports/scheme.h"
#include "harness/uri.h"
#include "pcap/address.h"

namespace wirelaw {

class SocketConnector final : public Connector {
 public:
  using Connect = tl::expected<Connected, TransportError> (*)(const std::string& host, std::uint16_t port,
                                                              const std::optional<pcap::Address>& from,
                                                              const LiveClock& clock);

  // `host` is the user's name for the address. `has_beside`: there may be datagrams beside streams.
  SocketConnector(const Framing& framing, Connect how, bool has_beside, const std::string& host,
                  const pcap::Endpoint& at, const LiveClock& clock)
      : framing_(framing),
        connect_(how),
        has_beside_(has_beside),
        place_(host_and_port(host, at.port)),
        at_(at),
        clock_(clock) {}

  std::string place() const override { return place_; }
  std::string capture_note() const override { return "iut=" + host_and_port(pcap::to_string(at_.address), port()); }
  tl::expected<Connected, TransportError> connect(const Route& route) override {
    if (route.datagrams && framing_.is_stream) {
      if (!has_beside_) return tl::unexpected(no_datagrams());
      return connect_beside(route);
    }
    note_conversation();
    std::optional<pcap::Address> from = address_of_first_node(at_.address);
    if (route.node > 0) {
      const auto own = address_of_node(route.node, at_.address);
      if (!own) return tl::unexpected(own.error());
      from = *own;
    }
    return connect_(pcap::to_string(at_.address), port(), from, clock_);
  }
  // The first node's address is the one that the system chooses for this route. A UDP socket knows it without sending
  // anything.
  tl::expected<pcap::Address, TransportError> address(const Route& route) override {
    if (route.node > 0) return address_of_node(route.node, at_.address);
    const auto there = connect_beside(route);
    if (!there) return tl::unexpected(there.error());
    return pcap::parse_endpoint(there->wire->tester()).value_or(pcap::Endpoint()).address;
  }

 private:
  std::uint16_t port() const { return static_cast<std::uint16_t>(at_.port); }
  tl::expected<Connected, TransportError> connect_beside(const Route& route) {
    if (beside_ == nullptr) {
      const Scheme& scheme = *find_scheme(kDatagrams.transport);
      auto beside = scheme.connect({.scheme = std::string(scheme.name), .place = pcap::to_string(at_)}, clock_);
      if (!beside) return tl::unexpected(beside.error());
      beside_ = std::move(*beside);
    }
    auto connected = beside_->connect({.node = route.node});
    if (connected) connected->datagrams = framing_.is_stream;
    return connected;
  }

  Framing framing_;
  Connect connect_;
  bool has_beside_;
  std::unique_ptr<Connector> beside_;  // datagrams to the same place, once they are asked for
  std::string place_;
  pcap::Endpoint at_;
  const LiveClock& clock_;
};

}  // namespace wirelaw
