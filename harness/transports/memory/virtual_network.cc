// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/memory/virtual_network.h"

#include <algorithm>

namespace wirelaw {
namespace {

// A peer that wants to be advanced this often at one instant will never let time pass.
constexpr unsigned kWakesAtOneInstant = 100'000;
// More octets than the longest message of a case. Peers that answer each other with more than they received exceed any
// limit.
constexpr std::size_t kMostOctetsInFlight = std::size_t{256} << 20;

}  // namespace

VirtualNetwork::VirtualNetwork(std::unique_ptr<Peer> peer, const NetworkFaults& network_faults, std::uint64_t seed)
    : peer_(std::move(peer)), faults_(network_faults), dice_(seed) {}

void VirtualNetwork::put(InFlight what) {
  octets_in_flight_ += what.octets.size();
  in_flight_.push_back(std::move(what));
  std::ranges::push_heap(in_flight_, Later{});
}

VirtualNetwork::InFlight VirtualNetwork::take_next() {
  std::ranges::pop_heap(in_flight_, Later{});
  InFlight what = std::move(in_flight_.back());
  in_flight_.pop_back();
  octets_in_flight_ -= what.octets.size();
  return what;
}

void VirtualNetwork::drain_peer() {
  for (Outgoing out; peer_->next_datagram(out); out = {}) leave(out);
  serve_peer();
}

std::optional<Instant> VirtualNetwork::next_event() const {
  std::optional<Instant> due = peer_->deadline();
  if (!in_flight_.empty() && (!due || in_flight_.front().arrival <= *due)) due = in_flight_.front().arrival;
  return due;
}

bool VirtualNetwork::happen() {
  const bool arrives = !in_flight_.empty() && in_flight_.front().arrival <= now_;
  if (arrives) {
    InFlight what = take_next();
    arrive(what);
  } else {
    peer_->advance(now_);
  }
  drain_peer();
  return arrives;
}

tl::expected<bool, TransportError> VirtualNetwork::step(Instant deadline, unsigned& wakes_here) {
  if (octets_in_flight_ > kMostOctetsInFlight)
    return tl::unexpected(TransportError{"more than 256 MiB are on their way in memory at once",
                                         "this is a fault of the peer: it sends more than it is sent, without end"});
  const std::optional<Instant> due = next_event();
  if (!due || *due > std::max(deadline, now_)) {
    // If nothing will arrive, a wait without a deadline would never end. No time passes, and the call returns.
    if (deadline != Instant::max()) now_ = std::max(now_, deadline);
    return false;
  }
  if (*due > now_) {
    now_ = *due;
    wakes_here = 0;
  }
  // Only a peer that always asks to be woken can loop here forever: messages that arrive have been sent, so they run
  // out.
  if (!happen() && ++wakes_here > kWakesAtOneInstant)
    return tl::unexpected(TransportError{"the peer in memory keeps waking without time passing",
                                         "this is a fault of the peer: look at its state and its deadline()"});
  return true;
}

}  // namespace wirelaw
