// SPDX-License-Identifier: Apache-2.0
// Plays the faults of a network (--network) on packets: loses, doubles and delays them, and lets them overtake. Packets
// that have to wait are copied; there is a limit for their octets.
#pragma once

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "harness/relay/network_plan.h"
#include "harness/relay/relay_counts.h"

namespace wirelaw {

class PlayedNetwork {
 public:
  using Clock = std::chrono::steady_clock;

  // What happens to one packet.
  struct Fate {
    bool is_lost = false, is_doubled = false, is_held_back = false;
    Instant first{}, second{};  // delays of the packet and of its duplicate
  };

  // `counts` outlives the network.
  PlayedNetwork(asio::io_context& context, const NetworkPlan& plan, RelayCounts& counts)
      : of_(plan.network_faults), counts_(counts), timer_(context) {}

  // Always throws the same number of dice, so that one fault does not change when another happens. Counts the faults,
  // and adds a comment for each.
  Fate draw_fate(Dice& dice, std::vector<std::string>& comments);

  // Calls `deliver(octets)` when the packet arrives, at once if it has no delay; never if it is lost. `last` is when
  // the latest packet of its direction arrives that none may overtake. A packet with an `added` delay may be overtaken.
  // Returns false if the packet was dropped because too many wait.
  template <class Deliver>
  bool pass(Octets octets, const Fate& fate, Instant added, Clock::time_point& last, const Deliver& deliver) {
    if (fate.is_lost) return true;
    const bool may_be_overtaken = fate.is_held_back || added > Instant{0};
    const Instant held = fate.is_held_back ? of_.held_back : Instant{0};
    bool has_room = put(octets, fate.first + held + added, may_be_overtaken, last, deliver);
    if (fate.is_doubled) has_room &= put(octets, fate.second + added, added > Instant{0}, last, deliver);
    return has_room;
  }

  bool is_empty() const { return waiting_.empty(); }

 private:
  struct Waiting {
    Clock::time_point due;
    std::uint64_t order;  // orders packets that are due at the same time
    std::function<void(Octets)> deliver;
    OctetBuffer octets;
    // The earliest compares greatest, so std::priority_queue returns it first.
    bool operator<(const Waiting& other) const { return due != other.due ? due > other.due : order > other.order; }
  };

  template <class Deliver>
  bool put(Octets octets, Instant delay, bool may_be_overtaken, Clock::time_point& last, const Deliver& deliver) {
    deliver_due();  // this packet may overtake none of them
    const auto now = Clock::now();
    const auto due = may_be_overtaken ? now + delay : std::max(now + delay, last);
    if (!may_be_overtaken) last = due;
    if (due > now) return wait(due, octets, deliver);
    deliver(octets);
    return true;
  }
  bool wait(Clock::time_point due, Octets octets, std::function<void(Octets)> deliver);
  void await_due();
  void deliver_due();

  const NetworkFaults of_;
  RelayCounts& counts_;
  std::priority_queue<Waiting> waiting_;
  std::size_t waiting_octets_ = 0;
  std::uint64_t order_ = 0;
  asio::steady_timer timer_;
};

}  // namespace wirelaw
