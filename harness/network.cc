// SPDX-License-Identifier: Apache-2.0
#include "harness/network.h"

#include <algorithm>

namespace wirelaw {
namespace {

// A peer that wants to be advanced this often at one instant will never let time pass.
constexpr unsigned kEventsAtOneInstant = 100'000;

}  // namespace

Network::Network(std::unique_ptr<Peer> peer, const Impairments& impairments, std::uint64_t seed)
    : peer_(std::move(peer)), impairments_(impairments), random_(seed) {}

PeerId Network::open() {
  inboxes_.emplace_back();
  return inboxes_.size() - 1;
}

// The standard fixes the numbers of the engine, not those of the distributions: the scaling is done here so that a
// seed means the same everywhere.
double Network::draw() {
  return static_cast<double>(random_() >> 11) * 0x1.0p-53;
}

void Network::send(PeerId from, Octets datagram) {
  carry(true, from, datagram);
}

void Network::carry(bool to_peer, PeerId tester, Octets datagram) {
  // Always the same number of draws, so that one impairment does not shift the dice of another.
  const bool lost = draw() < impairments_.loss;
  const bool twice = draw() < impairments_.duplication;
  const bool held = draw() < impairments_.reordering;
  const auto spread = static_cast<double>((impairments_.delay_max - impairments_.delay_min).count());
  const Instant first = impairments_.delay_min + Instant{static_cast<Instant::rep>(draw() * spread)};
  const Instant second = impairments_.delay_min + Instant{static_cast<Instant::rep>(draw() * spread)};
  if (lost) return;
  put(to_peer, tester, datagram, held ? first + impairments_.held_back : first, held);
  if (twice) put(to_peer, tester, datagram, second, false);
}

void Network::put(bool to_peer, PeerId tester, Octets datagram, Instant delay, bool may_overtake) {
  Instant arrival = now_ + delay;
  if (!may_overtake) arrival = last_arrival_[to_peer] = std::max(arrival, last_arrival_[to_peer]);
  in_flight_.push({arrival, order_++, to_peer, tester, OctetBuffer(datagram.begin(), datagram.end())});
}

void Network::drain_peer() {
  for (Outgoing out; peer_->next_datagram(out);) {
    if (out.to < inboxes_.size()) carry(false, out.to, out.octets);
  }
}

std::optional<Instant> Network::next_event() const {
  std::optional<Instant> next = peer_->deadline();
  if (!in_flight_.empty() && (!next || in_flight_.top().arrival <= *next)) next = in_flight_.top().arrival;
  return next;
}

void Network::happen() {
  if (!in_flight_.empty() && in_flight_.top().arrival <= now_) {
    const InFlight datagram = in_flight_.top();
    in_flight_.pop();
    if (datagram.to_peer) {
      peer_->receive(datagram.tester, datagram.octets, now_);
    } else {
      inboxes_[datagram.tester].push_back(datagram.octets);
    }
  } else {
    peer_->advance(now_);
  }
  drain_peer();
}

tl::expected<std::optional<OctetBuffer>, CarriageError> Network::receive(PeerId at, Instant deadline) {
  std::deque<OctetBuffer>& inbox = inboxes_[at];
  drain_peer();
  for (unsigned at_this_instant = 0; inbox.empty();) {
    const std::optional<Instant> next = next_event();
    if (!next || *next > std::max(deadline, now_)) {
      // With nothing to come, an endless wait would be endless: time stands still and the caller is told.
      if (deadline != Instant::max()) now_ = std::max(now_, deadline);
      return std::nullopt;
    }
    if (*next > now_) {
      now_ = *next;
      at_this_instant = 0;
    } else if (++at_this_instant > kEventsAtOneInstant) {
      return tl::unexpected(CarriageError{"the peer in memory keeps sending or waking without time passing",
                                          "this is a fault of the peer: look at its state and its deadline()"});
    }
    happen();
  }
  OctetBuffer octets = std::move(inbox.front());
  inbox.pop_front();
  return octets;
}

bool Network::trigger(PeerId to, const TriggerRequest& request) {
  const bool started = peer_->trigger(to, request, now_);
  drain_peer();
  return started;
}

}  // namespace wirelaw
