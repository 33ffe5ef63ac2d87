// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/transparent_relay.h"

#include <fmt/format.h>

#include <utility>

#include "harness/flow/leg_interface.h"

namespace wirelaw {
namespace {

// The network loses no ARP: its only retry is a second later, and it is not what is tested.
bool is_arp(Octets frame) {
  constexpr std::size_t kEtherType = 12;
  constexpr std::uint16_t kArp = 0x0806;
  return frame.size() >= kEtherType + 2 && load_big_endian<std::uint16_t>(frame.data() + kEtherType) == kArp;
}

}  // namespace

TransparentRelay::TransparentRelay(asio::io_context& context, Cable& cable, RelayRecording& recording,
                                   RelayCounts& counts, const NetworkPlan& plan, std::uint64_t seed)
    : cable_(cable),
      recording_(recording),
      counts_(counts),
      network_(context, plan, counts),
      dice_{Dice(seed_of(seed, 1, false)), Dice(seed_of(seed, 1, true))} {
  counts_.packet = "packet";
}

void TransparentRelay::start() {
  cable_.start([this](bool from_initiator, Octets frame) { arrive(from_initiator, frame); });
}

void TransparentRelay::count_dropped() {
  const std::uint64_t now = cable_.dropped();
  recording_.say_dropped(now - std::exchange(dropped_, now));
}

void TransparentRelay::arrive(bool from_initiator, Octets frame) {
  std::vector<std::string> comments;
  PlayedNetwork::Fate fate;
  if (!is_arp(frame)) {
    last_passed_ = Clock::now();
    (from_initiator ? counts_.connections : counts_.answered) = 1;
    if (!from_initiator) counts_.reached = 1;
    fate = network_.draw_fate(dice_[from_initiator], comments);
  }
  recording_.frame(from_initiator ? LegInterface::from_initiator : LegInterface::from_responder, frame, comments);
  const bool has_room = network_.pass(frame, fate, {}, last_arrival_[from_initiator],
                                      [this, from_initiator](Octets arrived) { deliver(from_initiator, arrived); });
  if (!has_room) remarks_[!from_initiator].emplace_back("the relay lost the frame before: too many are on their way");
}

void TransparentRelay::deliver(bool from_initiator, Octets frame) {
  if (!is_arp(frame)) last_passed_ = Clock::now();
  if (const asio::error_code code = cable_.send(!from_initiator, frame)) {
    remarks_[!from_initiator].push_back(
        fmt::format("the relay could not deliver an earlier frame: {}", code.message()));
    return;
  }
  recording_.frame(from_initiator ? LegInterface::to_responder : LegInterface::to_initiator, frame,
                   std::exchange(remarks_[!from_initiator], {}));
}

}  // namespace wirelaw
