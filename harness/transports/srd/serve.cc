// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/srd/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/control/server.h"
#include "harness/transports/address_book.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/srd/connids.h"
#include "harness/transports/srd/conversation.h"

namespace wirelaw {
namespace {

class SrdLoop {
 public:
  SrdLoop(SrdSocket& socket, Peer& peer, const std::optional<SrdAddress>& to)
      : socket_(socket), peer_(peer), only_(to) {
    if (only_) book_.number_of(endpoint_of(*only_));
  }

  tl::expected<void, TransportError> run(const ServeOptions& options);

 private:
  std::optional<SrdAddress> address_of(PeerId number) const;
  tl::expected<void, TransportError> send_all();
  bool start_rdma();
  void take(SrdEvent& event, Instant now);

  SrdSocket& socket_;
  Peer& peer_;
  std::optional<SrdAddress> only_;
  AddressBook book_;
  SrdConnids connids_;
  std::map<std::uint64_t, std::uint64_t> rdmas_;  // the peer's id, by the socket's
  std::optional<TransportError> lost_;
  LiveClock clock_;
};

std::optional<SrdAddress> SrdLoop::address_of(PeerId number) const {
  if (only_) return only_;
  const pcap::Endpoint* const known = book_.find(number);
  if (known == nullptr) return std::nullopt;
  const auto connid = connids_.of(*known);
  if (!connid) return std::nullopt;
  return SrdAddress{known->address.as_ipv6(), known->port, *connid};
}

// A server outlives an address that cannot be reached.
tl::expected<void, TransportError> SrdLoop::send_all() {
  for (Outgoing out; peer_.next_datagram(out);) {
    const auto to = address_of(out.to);
    if (!to) continue;
    if (auto sent = socket_.send(*to, out.octets); !sent && only_) return sent;
  }
  return {};
}

// Returns true if there was an operation that could not be started. The peer may then continue.
bool SrdLoop::start_rdma() {
  RdmaPeer* const rdma = peer_.rdma();
  bool refused = false;
  for (RdmaRequest request; rdma != nullptr && rdma->next_rdma(request); request = {}) {
    const auto with = address_of(request.peer);
    if (!with) {
      rdma->rdma_done(request.id, false, {}, clock_.now());
      refused = true;
      continue;
    }
    const std::uint64_t started = request.kind == RdmaRequest::Kind::read
                                      ? socket_.read(*with, request.remote)
                                      : socket_.write(*with, request.remote, request.octets, request.immediate);
    rdmas_.emplace(started, request.id);
  }
  return refused;
}

void SrdLoop::take(SrdEvent& event, Instant now) {
  if (event.kind == SrdEvent::Kind::rdma) {
    if (auto ended = rdmas_.extract(event.id)) peer_.rdma()->rdma_done(ended.mapped(), event.ok, event.octets, now);
    return;
  }
  if (only_ && event.peer != endpoint_of(*only_)) return;
  switch (event.kind) {
    case SrdEvent::Kind::packet:
      connids_.learn(event.peer, event.octets);
      return peer_.receive(book_.number_of(event.peer), event.octets, now);
    case SrdEvent::Kind::written:
      if (RdmaPeer* const rdma = peer_.rdma())
        rdma->rdma_received(book_.number_of(event.peer), event.length, event.immediate, now);
      return;
    case SrdEvent::Kind::undelivered:
      if (only_)
        lost_ = TransportError{fmt::format("nobody takes packets at {}: {}", to_string(*only_), event.reason),
                               "check GID, QPN and CONNID, and that the peer still runs"};
      return;
    case SrdEvent::Kind::rdma:
      return;
  }
}

tl::expected<void, TransportError> SrdLoop::run(const ServeOptions& options) {
  Instant last_event = clock_.now();
  auto control = control::Server::from_environment(
      peer_.calls([this](const pcap::Endpoint& far) { return book_.number_of(far); }));
  while (!srd_stopped()) {
    if (control) {
      peer_.advance(clock_.now());
      if (!control->proceed(std::chrono::steady_clock::now())) control.reset();
    }
    if (auto sent = send_all(); !sent) return sent;
    if (start_rdma()) continue;
    if (options.until_done && peer_.idle() && !control) break;
    const Instant idle_end = options.idle ? last_event + *options.idle : Instant::max();
    const Instant due = peer_.deadline().value_or(Instant::max());
    const Instant look = control ? clock_.now() + control::kLookEvery : Instant::max();
    auto event = socket_.wait(clock_.at(std::min({idle_end, due, look})));
    const Instant now = clock_.now();
    if (event) {
      last_event = now;
      take(*event, now);
      if (lost_) return tl::unexpected(*lost_);
    }
    if (now >= due) peer_.advance(now);
    if (!event && now >= idle_end && !control) break;
  }
  return {};
}

// The place and the key of the region are the device's choice.
IutParameters chosen_by_device(IutParameters offers, Peer& peer) {
  const auto offered = peer.rdma() == nullptr ? std::nullopt : peer.rdma()->offered();
  if (!offered) return offers;
  for (auto& [name, value] : offers) {
    if (name == "addr") value = fmt::format("{:#x}", offered->addr);
    if (name == "key") value = fmt::format("{:#x}", offered->key);
  }
  return offers;
}

class SrdService final : public PeerService {
 public:
  SrdService(std::unique_ptr<SrdDevice> device, std::unique_ptr<SrdSocket> socket, std::unique_ptr<Peer> peer,
             std::optional<SrdAddress> to, IutParameters offers)
      : device_(std::move(device)),
        socket_(std::move(socket)),
        peer_(std::move(peer)),
        to_(to),
        offers_(std::move(offers)) {}

  std::string place() const override { return to_string(socket_->local()); }
  IutParameters offers() const override { return chosen_by_device(offers_, *peer_); }
  tl::expected<void, Refusal> run(const ServeOptions& options) override {
    const auto served = SrdLoop(*socket_, *peer_, to_).run(options);
    if (!served) return tl::unexpected(peer_lost(served.error()));
    return {};
  }
  bool is_done() const override { return peer_->failed() == 0 && peer_->idle(); }
  std::string state() const override { return peer_->state(); }

 private:
  std::unique_ptr<SrdDevice> device_;
  std::unique_ptr<SrdSocket> socket_;
  std::unique_ptr<Peer> peer_;
  std::optional<SrdAddress> to_;
  IutParameters offers_;
};

// The peer may announce what the device can do.
PeerOptions with_abilities(PeerOptions options, const EfaAbilities& abilities) {
  options.rdma = abilities.rdma_read;
  if (abilities.rdma_read) options.features.emplace_back("rdma_read");
  if (abilities.rdma_write) options.features.emplace_back("rdma_write");
  return options;
}

void attach(Peer& peer, const SrdDevice& device, SrdSocket& socket) {
  peer.located({.endpoint = endpoint_of(socket.local()),
                .qkey = socket.local().connid,
                .packet_octets = device.packet_octets()});
  if (RdmaPeer* const rdma = peer.rdma()) rdma->register_with(socket);
}

}  // namespace

tl::expected<std::unique_ptr<PeerService>, Refusal> make_srd_service(const ServeRequest& request,
                                                                     const SrdPlace& place) {
  const bool initiates = request.options.role == Role::initiator;
  auto device = SrdDevice::open(place.device, initiates ? std::nullopt : place.gid);
  if (!device) return tl::unexpected(peer_lost(device.error()));
  auto socket = initiates ? (*device)->make_socket(std::nullopt) : socket_at(**device, place);
  if (!socket) return tl::unexpected(peer_lost(socket.error()));
  const PeerOptions options = with_abilities(request.options, (*device)->abilities());
  auto peer = make_peer(request, options);
  if (!peer) return tl::unexpected(peer.error());
  attach(**peer, **device, **socket);
  stop_srd_on_signals();
  begin_requests(request, **peer);
  return std::make_unique<SrdService>(std::move(*device), std::move(*socket), std::move(*peer),
                                      initiates ? place.whole() : std::nullopt, offers_of(request.reference, options));
}

}  // namespace wirelaw
