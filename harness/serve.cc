// SPDX-License-Identifier: Apache-2.0
#include "harness/serve.h"

#include <algorithm>
#include <array>
#include <span>

#include "harness/address_book.h"
#include "harness/control/server.h"
#include "harness/live_clock.h"

namespace wirelaw {
namespace {

// UDP has none. Whether there was anything to refuse, after which the peer may go on.
bool refuse_rdma(Peer& peer, Instant now) {
  RdmaPeer* const rdma = peer.rdma();
  bool any = false;
  for (RdmaRequest request; rdma != nullptr && rdma->next_rdma(request); any = true)
    rdma->rdma_done(request.id, false, {}, now);
  return any;
}

constexpr std::array<Octet, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};  // RFC 4291 2.5.5.2

// The UDP address that a raw address means (1.4).
pcap::Endpoint endpoint_of(const efa::RawAddress& far) {
  const bool mapped = std::ranges::equal(std::span(far.gid).first(kMapped.size()), kMapped);
  return {mapped ? pcap::Address::ipv4(far.gid.data() + kMapped.size()) : pcap::Address::ipv6(far.gid.data()), far.qpn};
}

}  // namespace

tl::expected<void, CarriageError> serve(UdpSocket& socket, Peer& peer, const ServeOptions& options) {
  const LiveClock clock;
  const bool connected = socket.remote().port != 0;
  AddressBook book;
  Instant heard = clock.now();
  peer.located({.endpoint = socket.local()});
  auto control = control::Server::from_environment(
      [&](const efa::RawAddress& far) { return peer.application(connected ? 0 : book.number_of(endpoint_of(far))); });
  while (!socket.stopped()) {
    if (control) {
      peer.advance(clock.now());
      if (!control->proceed(std::chrono::steady_clock::now())) control.reset();
    }
    for (Outgoing out; peer.next_datagram(out);) {
      if (connected) {
        if (auto sent = socket.send(out.octets); !sent) return sent;
      } else if (const pcap::Endpoint* to = book.find(out.to)) {
        static_cast<void>(socket.send_to(*to, out.octets));  // a server outlives an address that cannot be reached
      }
    }
    if (refuse_rdma(peer, clock.now())) continue;
    if (options.until_done && peer.idle() && !control) break;
    const Instant idle_end = options.idle ? heard + *options.idle : Instant::max();
    const Instant due = peer.deadline().value_or(Instant::max());
    const Instant look = control ? clock.now() + control::kLookEvery : Instant::max();
    const auto datagram = socket.receive(clock.at(std::min({idle_end, due, look})));
    if (!datagram) return tl::unexpected(datagram.error());
    const Instant now = clock.now();
    if (*datagram) {
      heard = now;
      peer.receive(connected ? 0 : book.number_of((*datagram)->from), (*datagram)->octets, now);
    }
    if (now >= due) peer.advance(now);
    if (!*datagram && now >= idle_end && !control) break;
  }
  return {};
}

}  // namespace wirelaw
