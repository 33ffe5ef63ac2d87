// SPDX-License-Identifier: Apache-2.0
// Both ends of one connection of a device: its consumer, and the tester's TCP socket, which speaks its wire.
#pragma once

#include <optional>

#include "harness/environment.h"
#include "harness/transports/tcp/tcp_socket.h"
#include "harness/transports/verbs/session.h"

namespace wirelaw::verbs {

class VerbsConversation final : public Conversation {
 public:
  // `seat` belongs to the session, which outlives it; the conversation removes it. Without a socket, it takes the next
  // connection of the acceptor.
  VerbsConversation(Session& session, Seat& seat, TcpSocket socket)
      : session_(session), seat_(seat), socket_(std::move(socket)), tester_(socket_->local()) {}
  VerbsConversation(Session& session, Seat& seat, TcpAcceptor& acceptor)
      : session_(session), seat_(seat), acceptor_(&acceptor), tester_(acceptor.local()) {}
  ~VerbsConversation() override;

  tl::expected<void, TransportError> send(Octets octets) override;
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override;
  Instant now() const override { return session_.clock().now(); }
  void end(Ending ending) override;
  bool may_end() override {
    settle();
    return !seat_.consumer->is_pending();
  }
  Ending ending() const override { return socket_ ? socket_->ending() : Ending::none; }
  // A case drives the consumer in place of the application above it.
  Offers offers() {
    Offers offers;
    offers.add<Consumer>(kConsumer, [this] {
      seat_.application.reset();
      return seat_.consumer.get();
    });
    return offers;
  }
  std::string tester() const override { return pcap::to_string(tester_); }
  std::string iut() const override { return socket_ ? pcap::to_string(socket_->remote()) : std::string(); }

 private:
  tl::expected<void, TransportError> accept();
  void settle();

  Session& session_;
  Seat& seat_;
  TcpAcceptor* acceptor_ = nullptr;
  std::optional<TcpSocket> socket_;
  pcap::Endpoint tester_;
};

}  // namespace wirelaw::verbs
