// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/srd/conversation.h"

#include <fmt/format.h>

#include "conformance/own_address.h"
#include "conformance/rdma.h"

namespace wirelaw {
namespace {

// The base of both kinds: a queue pair, a peer, and RDMA with it.
class SrdConversation : public Conversation, private Rdma {
 public:
  SrdConversation(const SrdDevice& device, SrdSocket& socket, const LiveClock& clock)
      : abilities_(device.abilities()), socket_(socket), clock_(clock) {}

  Instant now() const override { return clock_.now(); }
  std::string tester() const override { return pcap::to_string(endpoint_of(socket_.local())); }
  Offers offers() {
    Offers offers;
    const SrdAddress& own = socket_.local();
    offers.add_value(kOwnAddress, OwnAddress{.endpoint = endpoint_of(own), .qkey = own.connid});
    if (abilities_.rdma_read) offers.add_reference<Rdma>(kRdma, *this);
    return offers;
  }

  tl::expected<void, TransportError> send(Octets message) override {
    const auto to = peer();
    return to ? socket_.send(*to, message) : tl::unexpected(to.error());
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    for (;;) {
      if (auto waiting = next()) return waiting;
      auto event = socket_.wait(clock_.at(deadline));
      if (!event) return std::nullopt;
      if (auto lost = take(*event)) return tl::unexpected(*lost);
    }
  }

 protected:
  // The peer's address and connid.
  virtual tl::expected<SrdAddress, TransportError> peer() = 0;
  // The next packet that has arrived from there.
  virtual std::optional<OctetBuffer> next() = 0;
  virtual void keep(SrdEvent& packet) = 0;
  // True if it is the peer's.
  virtual bool concerns(const SrdEvent& event) const = 0;

  SrdSocket& socket() { return socket_; }
  const SrdSocket& socket() const { return socket_; }

 private:
  // Keeps a packet. Returns an error if the peer is gone.
  std::optional<TransportError> take(SrdEvent& event) {
    if (event.kind == SrdEvent::Kind::packet) keep(event);
    if (event.kind != SrdEvent::Kind::undelivered || !concerns(event)) return std::nullopt;
    return TransportError{
        fmt::format("{}: a packet could not be delivered: {}", pcap::to_string(event.peer), event.reason),
        "check GID, QPN and CONNID, and that the peer still runs"};
  }

  // --- Rdma
  tl::expected<RdmaRange, TransportError> expose(std::span<Octet> octets, RdmaAccess access) override {
    if (auto range = socket_.expose(octets, access)) return *range;
    return tl::unexpected(TransportError{fmt::format("the device registers no {} octets", octets.size()),
                                         "see how much memory a process may lock: ulimit -l"});
  }
  void withdraw(std::uint64_t key) override { socket_.withdraw(key); }
  tl::expected<std::optional<OctetBuffer>, TransportError> read(const RdmaRange& what, Instant deadline) override {
    const auto from = peer();
    if (!from) return tl::unexpected(from.error());
    return end_of(socket_.read(*from, what), deadline);
  }
  tl::expected<bool, TransportError> write(const RdmaRange& where, Octets octets,
                                           std::optional<std::uint64_t> immediate, Instant deadline) override {
    const auto to = peer();
    if (!to) return tl::unexpected(to.error());
    return end_of(socket_.write(*to, where, octets, immediate), deadline).map([](const auto& done) {
      return done.has_value();
    });
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> end_of(std::uint64_t id, Instant deadline) {
    while (auto event = socket_.wait(clock_.at(deadline))) {
      if (event->kind == SrdEvent::Kind::rdma && event->id == id)
        return event->ok ? std::optional(std::move(event->octets)) : std::nullopt;
      if (auto lost = take(*event)) return tl::unexpected(*lost);
    }
    return std::nullopt;
  }

  EfaAbilities abilities_;
  SrdSocket& socket_;
  const LiveClock& clock_;
};

Connected connected(std::unique_ptr<SrdConversation> conversation) {
  Offers offers = conversation->offers();
  return {std::move(conversation), std::move(offers)};
}

// The first base, so that the queue pair exists before, and outlives, the conversation that uses it.
struct OwnSocket {
  std::unique_ptr<SrdSocket> owned;
};

class ConnectedSrdConversation final : private OwnSocket, public SrdConversation {
 public:
  ConnectedSrdConversation(const SrdDevice& device, std::unique_ptr<SrdSocket> own, const SrdAddress& peer,
                           const LiveClock& clock)
      : OwnSocket{std::move(own)}, SrdConversation(device, *owned, clock), peer_(peer), endpoint_(endpoint_of(peer)) {}

  std::string iut() const override { return pcap::to_string(endpoint_); }

 private:
  tl::expected<SrdAddress, TransportError> peer() override { return peer_; }
  std::optional<OctetBuffer> next() override {
    if (!remote_) remote_ = inboxes_.claim();
    if (!remote_ || remote_->inbox.empty()) return std::nullopt;
    return inboxes_.take(*remote_);
  }
  bool concerns(const SrdEvent& event) const override { return event.peer == endpoint_; }
  void keep(SrdEvent& packet) override {
    if (concerns(packet)) inboxes_.sort(packet.peer, std::move(packet.octets));
  }

  SrdAddress peer_;
  pcap::Endpoint endpoint_;
  Inboxes inboxes_;  // for this peer alone
  Inboxes::Remote* remote_ = nullptr;
};

}  // namespace

class AcceptedSrdConversation final : public SrdConversation {
 public:
  explicit AcceptedSrdConversation(SrdListener& listener)
      : SrdConversation(*listener.device_, *listener.socket_, listener.clock_), listener_(listener) {}

  std::string iut() const override { return remote_ ? pcap::to_string(remote_->endpoint) : std::string(); }

 private:
  tl::expected<SrdAddress, TransportError> peer() override {
    if (!has_peer())
      return tl::unexpected(TransportError{"nobody has sent anything to " + tester() + " yet",
                                           "a listening tester answers; let the peer begin"});
    const auto connid = listener_.connids_.of(remote_->endpoint);
    if (!connid)
      return tl::unexpected(TransportError{iut() + " has not said its connid",
                                           "the first request of a requester has its raw address (1.4)"});
    return SrdAddress{remote_->endpoint.address.as_ipv6(), remote_->endpoint.port, *connid};
  }
  std::optional<OctetBuffer> next() override {
    if (!has_peer() || remote_->inbox.empty()) return std::nullopt;
    return listener_.inboxes_.take(*remote_);
  }
  bool concerns(const SrdEvent& event) const override { return remote_ != nullptr && event.peer == remote_->endpoint; }
  void keep(SrdEvent& packet) override {
    listener_.connids_.learn(packet.peer, packet.octets);
    listener_.inboxes_.sort(packet.peer, std::move(packet.octets));
  }
  bool has_peer() {
    if (!remote_) remote_ = listener_.inboxes_.claim();
    return remote_ != nullptr;
  }

  SrdListener& listener_;
  Inboxes::Remote* remote_ = nullptr;
};

tl::expected<Connected, TransportError> connect_srd(SrdDevice& device, const SrdAddress& peer, const LiveClock& clock) {
  auto socket = device.make_socket(std::nullopt);
  if (!socket) return tl::unexpected(socket.error());
  return connected(std::make_unique<ConnectedSrdConversation>(device, std::move(*socket), peer, clock));
}

Connected SrdListener::accept() {
  return connected(std::make_unique<AcceptedSrdConversation>(*this));
}

void SrdListener::clear() {
  inboxes_.clear();
  connids_.clear();
  // Packets that arrive late for one case do not belong to the next.
  constexpr unsigned kStale = 65'536;
  for (unsigned i = 0; i < kStale; ++i)
    if (!socket_->wait(LiveClock::Steady::now())) return;
}

tl::expected<std::unique_ptr<SrdSocket>, TransportError> socket_at(SrdDevice& device, const SrdPlace& at) {
  auto socket = device.make_socket(at.connid);
  if (socket && at.qpn && (*socket)->local().qpn != *at.qpn)
    return tl::unexpected(TransportError{
        fmt::format("{} has given the queue pair {}, not {}", device.name(), (*socket)->local().qpn, *at.qpn),
        "leave the QPN out: a device chooses it"});
  return socket;
}

tl::expected<std::unique_ptr<Listener>, TransportError> listen_srd(const SrdPlace& at, const LiveClock& clock) {
  auto device = SrdDevice::open(at.device, at.gid);
  if (!device) return tl::unexpected(device.error());
  auto socket = socket_at(**device, at);
  if (!socket) return tl::unexpected(socket.error());
  return std::make_unique<SrdListener>(std::move(*device), std::move(*socket), clock);
}

}  // namespace wirelaw
