// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/udp/udp_conversation.h"

#include "conformance/own_address.h"

namespace wirelaw {
namespace {

Connected connected(std::unique_ptr<Conversation> wire, const pcap::Endpoint& local) {
  Connected connected{std::move(wire)};
  connected.offers.add_value(kOwnAddress, OwnAddress{.endpoint = local});
  return connected;
}

class ConnectedConversation final : public Conversation {
 public:
  ConnectedConversation(UdpSocket socket, const LiveClock& clock) : socket_(std::move(socket)), clock_(clock) {}

  tl::expected<void, TransportError> send(Octets message) override { return socket_.send(message); }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    auto datagram = socket_.receive(clock_.at(deadline));
    if (!datagram) return tl::unexpected(datagram.error());
    if (!*datagram) return std::nullopt;
    return std::move((*datagram)->octets);
  }
  Instant now() const override { return clock_.now(); }
  std::string tester() const override { return pcap::to_string(socket_.local()); }
  std::string iut() const override { return pcap::to_string(socket_.remote()); }

 private:
  UdpSocket socket_;
  const LiveClock& clock_;
};

}  // namespace

class AcceptedConversation final : public Conversation {
 public:
  explicit AcceptedConversation(UdpListener& listener) : listener_(listener) {}

  tl::expected<void, TransportError> send(Octets message) override {
    if (!has_peer())
      return tl::unexpected(TransportError{"nobody has sent anything to " + tester() + " yet",
                                           "a listening tester answers; let the peer begin"});
    return listener_.socket_.send_to(remote_->endpoint, message);
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    // Datagrams that wait in the socket are older than any later ones, so they are taken even if the deadline has
    // passed.
    while (!has_peer() || remote_->inbox.empty()) {
      if (remote_ && remote_->dropped > 0) return tl::unexpected(Inboxes::flooded(*remote_));
      auto datagram = listener_.socket_.receive(listener_.clock_.at(deadline));
      if (!datagram) return tl::unexpected(datagram.error());
      if (!*datagram) return std::nullopt;
      listener_.inboxes_.sort((*datagram)->from, std::move((*datagram)->octets));
    }
    return listener_.inboxes_.take(*remote_);
  }
  Instant now() const override { return listener_.clock_.now(); }
  std::string tester() const override { return pcap::to_string(listener_.local()); }
  std::string iut() const override { return remote_ ? pcap::to_string(remote_->endpoint) : std::string(); }

 private:
  bool has_peer() {
    if (!remote_) remote_ = listener_.inboxes_.claim();
    return remote_ != nullptr;
  }

  UdpListener& listener_;
  Inboxes::Remote* remote_ = nullptr;
};

tl::expected<Connected, TransportError> connect_udp(const std::string& host, std::uint16_t port,
                                                    const std::optional<pcap::Address>& from, const LiveClock& clock) {
  auto socket = UdpSocket::connect_afresh(host, port, from);
  if (!socket) return tl::unexpected(socket.error());
  const pcap::Endpoint local = socket->local();
  return connected(std::make_unique<ConnectedConversation>(std::move(*socket), clock), local);
}

Connected UdpListener::accept() {
  return connected(std::make_unique<AcceptedConversation>(*this), local());
}

void UdpListener::clear() {
  inboxes_.clear();
  // Datagrams that arrive late for one case do not belong to the next.
  constexpr unsigned kStale = 65'536;
  for (unsigned i = 0; i < kStale; ++i) {
    const auto stale = socket_.receive(LiveClock::Steady::now());
    if (!stale || !*stale) return;
  }
}

}  // namespace wirelaw
