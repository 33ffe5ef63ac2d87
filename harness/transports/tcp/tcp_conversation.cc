// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/tcp/tcp_conversation.h"

#include <optional>

#include "harness/transports/tcp/tcp_connect.h"

namespace wirelaw {
namespace {

class TcpConversation final : public Conversation {
 public:
  TcpConversation(TcpSocket socket, const LiveClock& clock) : socket_(std::move(socket)), clock_(clock) {}

  tl::expected<void, TransportError> send(Octets octets) override { return socket_.send(octets); }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    return socket_.receive(clock_.at(deadline));
  }
  Instant now() const override { return clock_.now(); }
  void end(Ending ending) override { socket_.end(ending); }
  Ending ending() const override { return socket_.ending(); }
  std::string tester() const override { return pcap::to_string(socket_.local()); }
  std::string iut() const override { return pcap::to_string(socket_.remote()); }

 private:
  TcpSocket socket_;
  const LiveClock& clock_;
};

}  // namespace

// The first connection from which an octet arrives: a client that is killed may leave a silent one in the queue.
class AcceptedConnection final : public Conversation {
 public:
  explicit AcceptedConnection(TcpListener& listener) : listener_(listener) {}

  tl::expected<void, TransportError> send(Octets octets) override {
    if (!socket_)
      return tl::unexpected(TransportError{"nobody has connected to " + tester() + " yet",
                                           "a listening tester answers; let the peer begin"});
    is_used_ = true;
    return socket_->send(octets);
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    const auto until = listener_.clock_.at(deadline);
    for (;;) {
      if (!socket_) {
        auto made = listener_.acceptor_.accept(until);
        if (!made) return tl::unexpected(made.error());
        if (!*made) return std::nullopt;
        socket_ = std::move(**made);
      }
      auto received = socket_->receive(until);
      is_used_ |= received && *received;
      if (!received || is_used_ || socket_->ending() == Ending::none) return received;
      socket_.reset();  // another peer may connect in time; endless connects without data are not waited for
      if (LiveClock::Steady::now() >= until) return std::nullopt;
    }
  }
  Instant now() const override { return listener_.clock_.now(); }
  void end(Ending ending) override {
    if (socket_) socket_->end(ending);
  }
  Ending ending() const override { return socket_ ? socket_->ending() : Ending::none; }
  std::string tester() const override { return pcap::to_string(listener_.local()); }
  std::string iut() const override { return socket_ ? pcap::to_string(socket_->remote()) : std::string(); }

 private:
  TcpListener& listener_;
  std::optional<TcpSocket> socket_;
  bool is_used_ = false;  // octets were sent in either direction
};

tl::expected<Connected, TransportError> connect_tcp(const std::string& host, std::uint16_t port,
                                                    const std::optional<pcap::Address>& from, const LiveClock& clock) {
  auto socket = TcpSocket::connect(host, port, LiveClock::Steady::now() + kConnectTime, from);
  if (!socket) return tl::unexpected(socket.error());
  return Connected{std::make_unique<TcpConversation>(std::move(*socket), clock)};
}

tl::expected<pcap::Endpoint, TransportError> find_tcp(const std::string& host, std::uint16_t port) {
  const auto found = TcpSocket::find(host, port);
  if (!found) return tl::unexpected(found.error());
  if (found->size() == 1) return found->front();
  const auto socket = TcpSocket::connect(host, port, LiveClock::Steady::now() + kConnectTime);
  if (!socket) return tl::unexpected(socket.error());
  return socket->remote();
}

Connected TcpListener::accept() {
  return {std::make_unique<AcceptedConnection>(*this)};
}

void TcpListener::clear() {
  // Octets that arrive late for one case do not belong to the next. A peer that never stops sending is not waited for.
  constexpr unsigned kStale = 65'536;
  for (unsigned i = 0; i < kStale; ++i) {
    const auto stale = acceptor_.accept(LiveClock::Steady::now());
    if (!stale || !*stale) return;
  }
}

}  // namespace wirelaw
