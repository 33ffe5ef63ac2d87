// SPDX-License-Identifier: Apache-2.0
#include "harness/network.h"

#include <algorithm>

namespace wirelaw {

PeerId Network::open() {
  inboxes_.emplace_back();
  return inboxes_.size() - 1;
}

void Network::send(PeerId from, Octets datagram) {
  carry(true, from, datagram);
}

void Network::carry(bool to_peer, PeerId tester, Octets datagram) {
  // Always the same number of draws, so that one impairment does not shift the dice of another.
  const bool lost = draw() < impairments().loss;
  const bool twice = draw() < impairments().duplication;
  const bool held = draw() < impairments().reordering;
  const Instant first = draw_delay();
  const Instant second = draw_delay();
  if (lost) return;
  put(to_peer, tester, datagram, held ? first + impairments().held_back : first, held);
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
  if (datagram.to_peer) {
    peer().receive(datagram.tester, datagram.octets, now());
  } else {
    inboxes_[datagram.tester].push_back(std::move(datagram.octets));
  }
}

tl::expected<std::optional<OctetBuffer>, CarriageError> Network::receive(PeerId at, Instant deadline) {
  std::deque<OctetBuffer>& inbox = inboxes_[at];
  const auto came = run_until(deadline, [&] { return !inbox.empty(); });
  if (!came) return tl::unexpected(came.error());
  if (!*came) return std::nullopt;
  OctetBuffer octets = std::move(inbox.front());
  inbox.pop_front();
  return octets;
}

bool Network::trigger(PeerId to, const TriggerRequest& request) {
  const bool started = peer().trigger(to, request, now());
  drain_peer();
  return started;
}

}  // namespace wirelaw
