// SPDX-License-Identifier: Apache-2.0
// A UDP socket that waits with a deadline. One thread, no callbacks; Asio stays inside.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "conformance/transport.h"
#include "pcap/address.h"

namespace wirelaw {

struct UdpDatagram {
  pcap::Endpoint from;
  OctetBuffer octets;
};

class UdpSocket {
 public:
  // Opens a fresh local port for one peer. `host` is an address or a name. `from` is our address; empty: the system
  // chooses it. An address that this machine does not have is TransportError::no_way.
  static tl::expected<UdpSocket, TransportError> connect(const std::string& host, std::uint16_t port,
                                                         const std::optional<pcap::Address>& from = {});
  // Same, for a conversation: from an address that no earlier conversation had, if the system has one left.
  static tl::expected<UdpSocket, TransportError> connect_afresh(const std::string& host, std::uint16_t port,
                                                                const std::optional<pcap::Address>& from = {});
  // Port 0: any port; local() returns it.
  static tl::expected<UdpSocket, TransportError> bind(const std::string& host, std::uint16_t port);

  UdpSocket(UdpSocket&&) noexcept;
  UdpSocket& operator=(UdpSocket&&) noexcept;
  ~UdpSocket();

  pcap::Endpoint local() const;
  const pcap::Endpoint& remote() const;  // for a connected socket

  tl::expected<void, TransportError> send(Octets octets);  // for a connected socket
  tl::expected<void, TransportError> send_to(const pcap::Endpoint& to, Octets octets);
  // Empty if the deadline has passed or a signal has arrived.
  tl::expected<std::optional<UdpDatagram>, TransportError> receive(std::chrono::steady_clock::time_point deadline);

  // From now on SIGINT and SIGTERM end a wait instead of the process, and stopped() is true.
  void stop_on_signals();
  bool stopped() const;

 private:
  struct Inner;
  explicit UdpSocket(std::unique_ptr<Inner> inner);

  std::unique_ptr<Inner> inner_;
};

}  // namespace wirelaw
