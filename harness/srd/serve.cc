// SPDX-License-Identifier: Apache-2.0
#include "harness/srd/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/address_book.h"
#include "harness/control/server.h"
#include "harness/live_clock.h"
#include "harness/srd/connids.h"

namespace wirelaw {
namespace {

class SrdService {
 public:
  SrdService(SrdSocket& socket, Peer& peer, const std::optional<SrdAddress>& to)
      : socket_(socket), peer_(peer), only_(to) {
    if (only_) book_.number_of(endpoint_of(*only_));
  }

  tl::expected<void, CarriageError> run(const ServeOptions& options);

 private:
  std::optional<SrdAddress> address_of(PeerId number) const;
  tl::expected<void, CarriageError> send_all();
  bool start_rdma();
  void take(SrdEvent& event, Instant now);

  SrdSocket& socket_;
  Peer& peer_;
  std::optional<SrdAddress> only_;
  AddressBook book_;
  SrdConnids connids_;
  std::map<std::uint64_t, std::uint64_t> rdmas_;  // the peer's id, by the socket's
  std::optional<CarriageError> lost_;
  LiveClock clock_;
};

std::optional<SrdAddress> SrdService::address_of(PeerId number) const {
  if (only_) return only_;
  const pcap::Endpoint* const known = book_.find(number);
  if (known == nullptr) return std::nullopt;
  const auto connid = connids_.of(*known);
  if (!connid) return std::nullopt;
  return SrdAddress{known->address.as_ipv6(), known->port, *connid};
}

// A server outlives an address that cannot be reached.
tl::expected<void, CarriageError> SrdService::send_all() {
  for (Outgoing out; peer_.next_datagram(out);) {
    const auto to = address_of(out.to);
    if (!to) continue;
    if (auto sent = socket_.send(*to, out.octets); !sent && only_) return sent;
  }
  return {};
}

// Whether there was any that could not be started, after which the peer may go on.
bool SrdService::start_rdma() {
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

void SrdService::take(SrdEvent& event, Instant now) {
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
        rdma->rdma_told(book_.number_of(event.peer), event.length, event.immediate, now);
      return;
    case SrdEvent::Kind::undelivered:
      if (only_)
        lost_ = CarriageError{fmt::format("nobody takes packets at {}: {}", to_string(*only_), event.reason),
                              "check GID, QPN and CONNID, and that the peer still runs"};
      return;
    case SrdEvent::Kind::rdma:
      return;
  }
}

tl::expected<void, CarriageError> SrdService::run(const ServeOptions& options) {
  Instant heard = clock_.now();
  auto control = control::Server::from_environment([this](const efa::RawAddress& far) {
    return peer_.application(book_.number_of(endpoint_of(SrdAddress{far.gid, far.qpn, far.connid})));
  });
  while (!srd_stopped()) {
    if (control) {
      peer_.advance(clock_.now());
      if (!control->proceed(std::chrono::steady_clock::now())) control.reset();
    }
    if (auto sent = send_all(); !sent) return sent;
    if (start_rdma()) continue;
    if (options.until_done && peer_.idle() && !control) break;
    const Instant idle_end = options.idle ? heard + *options.idle : Instant::max();
    const Instant due = peer_.deadline().value_or(Instant::max());
    const Instant look = control ? clock_.now() + control::kLookEvery : Instant::max();
    auto event = socket_.wait(clock_.at(std::min({idle_end, due, look})));
    const Instant now = clock_.now();
    if (event) {
      heard = now;
      take(*event, now);
      if (lost_) return tl::unexpected(*lost_);
    }
    if (now >= due) peer_.advance(now);
    if (!event && now >= idle_end && !control) break;
  }
  return {};
}

}  // namespace

void attach(Peer& peer, const SrdDevice& device, SrdSocket& socket) {
  peer.located({.endpoint = endpoint_of(socket.local()),
                .connid = socket.local().connid,
                .packet_octets = device.packet_octets()});
  if (RdmaPeer* const rdma = peer.rdma()) rdma->register_with(socket);
}

tl::expected<void, CarriageError> serve_srd(SrdSocket& socket, Peer& peer, const std::optional<SrdAddress>& to,
                                            const ServeOptions& options) {
  return SrdService(socket, peer, to).run(options);
}

}  // namespace wirelaw
