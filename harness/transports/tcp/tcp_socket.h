// SPDX-License-Identifier: Apache-2.0
// TCP sockets that wait with a deadline. One thread, no callbacks; Asio stays inside. Nagle's algorithm is off: octets
// are sent at once.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/transport.h"
#include "pcap/address.h"

namespace wirelaw {

class TcpSocket {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // Returns the addresses of a name, at least one.
  static tl::expected<std::vector<pcap::Endpoint>, TransportError> find(const std::string& host, std::uint16_t port);
  // Connects from a fresh local port. `host` is an address or a name; each address of a name is tried. `from` is our
  // address; empty: the system chooses it. An address that this machine does not have is TransportError::no_way.
  static tl::expected<TcpSocket, TransportError> connect(const std::string& host, std::uint16_t port, Deadline deadline,
                                                         const std::optional<pcap::Address>& from = {});

  TcpSocket(TcpSocket&&) noexcept;
  TcpSocket& operator=(TcpSocket&&) noexcept;
  ~TcpSocket();

  const pcap::Endpoint& local() const;
  const pcap::Endpoint& remote() const;

  // Waits while the peer takes nothing, and meanwhile keeps what the peer sends. Octets for a peer that has reset are
  // lost. That is no error: ending() reports the reset.
  tl::expected<void, TransportError> send(Octets octets);
  // Returns the next octets. Empty if the deadline has passed, or, immediately, if the peer has ended its direction.
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Deadline deadline);
  void end(Ending ending);
  // Returns how the peer ended its direction, once receive() has returned everything before the end.
  Ending ending() const;
  // A descriptor to wait for; negative once it is closed.
  int descriptor() const;

 private:
  friend class TcpAcceptor;
  struct Inner;
  explicit TcpSocket(std::unique_ptr<Inner> inner);

  std::unique_ptr<Inner> inner_;
};

class TcpAcceptor {
 public:
  // Port 0: any port; local() returns it.
  static tl::expected<TcpAcceptor, TransportError> bind(const std::string& host, std::uint16_t port);

  TcpAcceptor(TcpAcceptor&&) noexcept;
  TcpAcceptor& operator=(TcpAcceptor&&) noexcept;
  ~TcpAcceptor();

  const pcap::Endpoint& local() const;
  // The next connection; nothing if the deadline has passed.
  tl::expected<std::optional<TcpSocket>, TransportError> accept(TcpSocket::Deadline deadline);
  int descriptor() const;

 private:
  struct Inner;
  explicit TcpAcceptor(std::unique_ptr<Inner> inner);

  std::unique_ptr<Inner> inner_;
};

}  // namespace wirelaw
