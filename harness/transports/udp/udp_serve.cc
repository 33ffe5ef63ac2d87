// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/udp/udp_serve.h"

#include <algorithm>
#include <array>
#include <span>

#include "harness/control/server.h"
#include "harness/transports/address_book.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/nodes.h"

namespace wirelaw {
namespace {

// UDP has no RDMA. Returns true if there was a request to refuse. The peer may then continue.
bool refuse_rdma(Peer& peer, Instant now) {
  RdmaPeer* const rdma = peer.rdma();
  bool any = false;
  for (RdmaRequest request; rdma != nullptr && rdma->next_rdma(request); any = true)
    rdma->rdma_done(request.id, false, {}, now);
  return any;
}

constexpr std::array<Octet, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};  // RFC 4291 2.5.5.2

// The address as a socket names it: an IPv4 address may be mapped into IPv6.
pcap::Endpoint unmapped(const pcap::Endpoint& far) {
  const auto six = far.address.as_ipv6();
  const bool mapped = std::ranges::equal(std::span(six).first(kMapped.size()), kMapped);
  return mapped ? pcap::Endpoint{pcap::Address::ipv4(six.data() + kMapped.size()), far.port} : far;
}

// The senders to the peer, and those that it dials: both are numbered, and linked to it first.
class Lines {
 public:
  Lines(const UdpSocket& socket, Peer& peer) : socket_(socket), peer_(peer) {
    if (is_connected()) link(0, socket.remote());
  }

  bool is_connected() const { return socket_.remote().port != 0; }
  PeerId number_of(const pcap::Endpoint& far) {
    if (is_connected()) return 0;
    const bool known = book_.knows(far);
    const PeerId number = book_.number_of(far);
    if (!known) link(number, far);
    return number;
  }
  const pcap::Endpoint* find(PeerId number) const { return book_.find(number); }
  // Makes the dials of the peer. A connected socket reaches only its own address. Returns false if the peer may want
  // more, which waits until others have had their turn.
  bool dial(Instant now) {
    constexpr unsigned kAtOnce = 64;
    for (unsigned i = 0; i < kAtOnce; ++i) {
      const auto wanted = peer_.next_dial();
      if (!wanted) return true;
      if (!wanted->datagrams || !may_dial(socket_.local().address, wanted->to.address) ||
          (is_connected() && wanted->to != socket_.remote()))
        peer_.not_reached(*wanted, now);
      else
        link(is_connected() ? 0 : book_.number_of(wanted->to), wanted->to);
    }
    return false;
  }

 private:
  void link(PeerId number, const pcap::Endpoint& far) {
    peer_.linked(number, {.local = socket_.local(), .remote = far, .datagrams = true});
  }

  const UdpSocket& socket_;
  Peer& peer_;
  AddressBook book_;
};

}  // namespace

tl::expected<void, TransportError> serve(UdpSocket& socket, Peer& peer, const ServeOptions& options) {
  const LiveClock clock;
  Instant last_received = clock.now();
  Lines lines(socket, peer);
  auto control = control::Server::from_environment(
      peer.calls([&](const pcap::Endpoint& far) { return lines.number_of(unmapped(far)); }));
  while (!socket.stopped()) {
    if (control) {
      peer.advance(clock.now());
      if (!control->proceed(std::chrono::steady_clock::now())) control.reset();
    }
    const bool dialled = lines.dial(clock.now());
    for (Outgoing out; peer.next_datagram(out);) {
      if (lines.is_connected()) {
        if (auto sent = socket.send(out.octets); !sent) return sent;
      } else if (const pcap::Endpoint* to = lines.find(out.to)) {
        static_cast<void>(socket.send_to(*to, out.octets));  // a server outlives an address that cannot be reached
      }
    }
    if (refuse_rdma(peer, clock.now())) continue;
    if (options.until_done && peer.idle() && !control) break;
    const Instant idle_end = options.idle ? last_received + *options.idle : Instant::max();
    const Instant due = peer.deadline().value_or(Instant::max());
    const Instant look = !dialled ? clock.now() : control ? clock.now() + control::kLookEvery : Instant::max();
    const auto datagram = socket.receive(clock.at(std::min({idle_end, due, look})));
    if (!datagram) return tl::unexpected(datagram.error());
    const Instant now = clock.now();
    if (*datagram) {
      last_received = now;
      peer.receive(lines.number_of((*datagram)->from), (*datagram)->octets, now);
    }
    if (now >= due) peer.advance(now);
    if (!*datagram && now >= idle_end && !control) break;
  }
  return {};
}

}  // namespace wirelaw
