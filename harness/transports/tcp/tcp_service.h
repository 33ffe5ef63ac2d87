// SPDX-License-Identifier: Apache-2.0
// Runs a reference peer over TCP: with all clients that connect, or with one listener, and with those that it dials; on
// request over UDP as well. It has one thread, and its memory for connections is bounded. A peer that serves only on
// loopback dials only there. It dials from its own address.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "harness/peers/peer.h"
#include "harness/transports/service.h"
#include "pcap/address.h"

namespace wirelaw {

class TcpService {
 public:
  // The peer is the responder. Port 0: any; local() gives it. With `datagrams` it has UDP at the same port. What
  // arrives there belongs to links of datagrams, whose numbers differ from those of connections.
  static tl::expected<TcpService, TransportError> listen(const std::string& host, std::uint16_t port,
                                                         bool datagrams = false);
  // The peer is the initiator: it has connection 0, which is made now, and more as it asks for them.
  static tl::expected<TcpService, TransportError> connect(const std::string& host, std::uint16_t port);

  TcpService(TcpService&&) noexcept;
  TcpService& operator=(TcpService&&) noexcept;
  ~TcpService();

  pcap::Endpoint local() const;
  bool has_datagrams() const;  // at local(), over UDP
  // From now on SIGINT and SIGTERM end run() instead of the process.
  void stop_on_signals();
  // Ends without an error on a signal, when idle, or when done. An initiator must have been triggered before.
  tl::expected<void, TransportError> run(Peer& peer, const ServeOptions& options);

  // The most there has been at once, of connections and of octets that waited to be sent.
  std::size_t most_connections() const;
  std::size_t most_unsent() const;

 private:
  class Inner;
  explicit TcpService(std::unique_ptr<Inner> inner);

  std::unique_ptr<Inner> inner_;
};

inline tl::expected<void, TransportError> serve(TcpService& service, Peer& peer, const ServeOptions& options) {
  return service.run(peer, options);
}

}  // namespace wirelaw
