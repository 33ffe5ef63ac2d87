// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/memory/network.h"

#include <algorithm>

namespace wirelaw {

PeerId Network::open(const Link& link) {
  inboxes_.emplace_back();
  links_.push_back(link);
  is_linked_.push_back(false);
  memories_.push_back(nullptr);
  return inboxes_.size() - 1;
}

void Network::make_link(PeerId tester) {
  if (is_linked_[tester]) return;
  is_linked_[tester] = true;
  peer().linked(tester, links_[tester]);
}

// Dials to an address of the tester. What is sent to any other address is lost.
void Network::dial(const Dial& dial) {
  if (!dial.datagrams) return peer().not_reached(dial, now());
  const auto known = std::ranges::find(links_, dial.to, &Link::remote);
  const PeerId id = known != links_.end() ? static_cast<PeerId>(known - links_.begin())
                                          : open({.local = peer_at_, .remote = dial.to, .datagrams = true});
  is_linked_[id] = true;
  peer().linked(id, links_[id]);
}

void Network::send(PeerId from, Octets datagram) {
  carry(true, from, datagram);
}

void Network::carry(bool to_peer, PeerId tester, Octets datagram) {
  // Always the same number of draws, so that one fault does not shift the dice of another.
  const bool lost = draw() < faults().loss;
  const bool twice = draw() < faults().duplication;
  const bool held = draw() < faults().reordering;
  const Instant first = draw_delay();
  const Instant second = draw_delay();
  if (lost) return;
  put(to_peer, tester, datagram, held ? first + faults().held_back : first, held);
  if (twice) put(to_peer, tester, datagram, second, false);
}

void Network::put(bool to_peer, PeerId tester, Octets datagram, Instant delay, bool may_overtake) {
  Instant arrival = now() + delay;
  if (!may_overtake) arrival = last_arrival_[to_peer] = std::max(arrival, last_arrival_[to_peer]);
  VirtualNetwork::put({arrival, next_order(), to_peer, tester, OctetBuffer(datagram.begin(), datagram.end())});
}

void Network::leave(Outgoing& out) {
  if (out.to < inboxes_.size()) carry(false, out.to, out.octets);
}

void Network::arrive(InFlight& datagram) {
  if (datagram.rdma != 0) {
    arrive_rdma(datagram);
  } else if (datagram.to_peer) {
    make_link(datagram.tester);
    peer().receive(datagram.tester, datagram.octets, now());
  } else {
    inboxes_[datagram.tester].push_back(std::move(datagram.octets));
  }
}

tl::expected<std::optional<OctetBuffer>, TransportError> Network::receive(PeerId at, Instant deadline) {
  std::deque<OctetBuffer>& inbox = inboxes_[at];
  const auto came = run_until(deadline, [&] { return !inbox.empty(); });
  if (!came) return tl::unexpected(came.error());
  if (!*came) return std::nullopt;
  OctetBuffer octets = std::move(inbox.front());
  inbox.pop_front();
  return octets;
}

// --------------------------------------------------------------------------------------------------------------- RDMA

void Network::serve_peer() {
  constexpr std::size_t kDials = 4096;  // answered dials of a peer that never stops dialling
  for (; dials_ < kDials; ++dials_) {
    const auto wanted = peer().next_dial();
    if (!wanted) break;
    dial(*wanted);
    for (Outgoing out; peer().next_datagram(out); out = {}) leave(out);
  }
  RdmaPeer* const rdma = peer().rdma();
  if (rdma == nullptr) return;
  for (RdmaRequest request; rdma->next_rdma(request); request = {}) {
    const PeerId tester = request.peer;
    start_rdma(std::move(request), tester, true);
  }
}

std::uint64_t Network::start_rdma(RdmaRequest request, PeerId tester, bool from_peer) {
  const std::uint64_t number = ++rdmas_;
  rdma_[number] = {.request = std::move(request), .from_peer = from_peer, .awaited = !from_peer};
  VirtualNetwork::put({.arrival = now() + draw_delay(),
                       .order = next_order(),
                       .to_peer = !from_peer,
                       .tester = tester,
                       .rdma = number});
  return number;
}

// A request is executed when it arrives, and reported when its answer arrives.
void Network::arrive_rdma(const InFlight& arrived) {
  const auto found = rdma_.find(arrived.rdma);
  RdmaUnderWay& one = found->second;
  if (!one.answered) {
    RdmaMemory* const memory = arrived.to_peer                     ? peer().rdma()
                               : arrived.tester < memories_.size() ? memories_[arrived.tester]
                                                                   : nullptr;
    if (memory != nullptr && one.request.kind == RdmaRequest::Kind::read) {
      const auto octets = memory->rdma_read(one.request.remote);
      one.ok = octets.has_value();
      if (octets) one.octets.assign(octets->begin(), octets->end());
    } else if (memory != nullptr) {
      one.ok =
          memory->rdma_written(arrived.tester, one.request.remote, one.request.octets, one.request.immediate, now());
    }
    one.answered = true;
    VirtualNetwork::put({.arrival = now() + draw_delay(),
                         .order = next_order(),
                         .to_peer = !arrived.to_peer,
                         .tester = arrived.tester,
                         .rdma = arrived.rdma});
  } else if (one.from_peer) {
    const RdmaUnderWay done = std::move(one);
    rdma_.erase(found);
    peer().rdma()->rdma_done(done.request.id, done.ok, done.octets, now());
  } else if (one.awaited) {
    one.over = true;
  } else {
    rdma_.erase(found);
  }
}

tl::expected<std::optional<OctetBuffer>, TransportError> Network::do_rdma(PeerId from, RdmaRequest request,
                                                                          Instant deadline) {
  const auto found = rdma_.find(start_rdma(std::move(request), from, false));
  RdmaUnderWay& one = found->second;
  const auto came = run_until(deadline, [&] { return one.over; });
  if (!came || !*came) {
    one.awaited = false;
    if (!came) return tl::unexpected(came.error());
    return std::nullopt;
  }
  const RdmaUnderWay done = std::move(one);
  rdma_.erase(found);
  if (!done.ok) return std::nullopt;
  return done.octets;
}

bool Network::trigger(PeerId to, const TriggerRequest& request) {
  const bool started = peer().trigger(to, request, now());
  drain_peer();
  return started;
}

}  // namespace wirelaw
