// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/transparent_relay.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/flow/leg_interface.h"
#include "pcap/ethernet.h"
#include "pcap/ip.h"
#include "pcap/tcp.h"
#include "pcap/udp.h"

namespace wirelaw {
namespace {

// The network loses no ARP: its only retry is a second later, and it is not what is tested.
bool is_arp(Octets frame) {
  constexpr std::uint16_t kArp = 0x0806;
  return frame.size() >= pcap::kEthernetHeader &&
         load_big_endian<std::uint16_t>(frame.data() + pcap::kEthernetType) == kArp;
}

}  // namespace

TransparentRelay::TransparentRelay(Cable& cable, const TransparentRelayContext& shared)
    : cable_(cable),
      recording_(shared.recording),
      counts_(shared.counts),
      port_(shared.port),
      network_(shared.context, shared.plan, shared.counts),
      timer_(shared.context),
      dice_{Dice(seed_of(shared.seed, 1, false)), Dice(seed_of(shared.seed, 1, true))} {
  counts_.packet = "packet";
  if (!shared.faults.triggers.empty()) edits_.emplace(shared.faults, shared.port, shared.flows, shared.counts);
}

void TransparentRelay::start() {
  cable_.start([this](bool from_initiator, Octets frame) { arrive(from_initiator, frame); });
}

void TransparentRelay::count_dropped() {
  const std::uint64_t now = cable_.dropped();
  recording_.say_dropped(now - std::exchange(dropped_, now));
}

// Notes what the frame says about whether the responder serves. Its system answers too: an acknowledgment, a reset or
// an ICMP error comes from no program.
void TransparentRelay::note(bool from_initiator, Octets frame) {
  if (frame.size() < pcap::kEthernetHeader) return;
  const auto type = load_big_endian<std::uint16_t>(frame.data() + pcap::kEthernetType);
  pcap::IpPacket packet;
  if (pcap::decode_ip(frame, static_cast<std::uint32_t>(frame.size()), {type, pcap::kEthernetHeader}, packet)) return;
  pcap::Segment segment;
  const bool is_udp = packet.protocol == pcap::kProtocolUdp, is_tcp = packet.protocol == pcap::kProtocolTcp;
  // Later fragments have no ports.
  if ((!is_udp && !is_tcp) || packet.fragment.offset != 0 || packet.payload.size() < pcap::kUdpHeader) return;
  if (is_tcp && pcap::decode_tcp(packet, segment)) return;
  const auto from = load_big_endian<std::uint16_t>(packet.payload.data());
  const auto to = load_big_endian<std::uint16_t>(packet.payload.data() + sizeof from);
  if (port_ != 0 && (from_initiator ? to : from) != port_) return;
  if (from_initiator)
    counts_.connections = 1;
  else if (is_udp || !segment.payload.empty())
    counts_.answered = counts_.reached = 1;
  else if (segment.flags.rst())
    counts_.unreachable = fmt::format("{}: it resets connections", pcap::to_string(segment.source));
}

void TransparentRelay::say_lost(bool to_initiator, std::string_view why) {
  if (undelivered_[to_initiator]++ == 0) why_undelivered_[to_initiator] = why;
}

void TransparentRelay::arrive(bool from_initiator, Octets frame) {
  std::vector<std::string> comments;
  PlayedNetwork::Fate fate;
  FrameEdits::Outcome outcome;
  const bool may_be_edited = edits_ && !is_arp(frame);
  if (!is_arp(frame)) {
    last_passed_ = Clock::now();
    note(from_initiator, frame);
    fate = network_.draw_fate(dice_[from_initiator], comments);
  }
  if (may_be_edited) outcome = edits_->arrive(from_initiator, frame, fate, Clock::now());
  std::ranges::move(outcome.comments, std::back_inserter(comments));
  recording_.frame(from_initiator ? LegInterface::from_initiator : LegInterface::from_responder, frame, comments);
  if (!may_be_edited) return forward(from_initiator, frame, fate);
  for (const PassingFrame& one : outcome.passing)
    forward(one.from_initiator, one.octets, one.fate, one.delay, one.comments);
  await_message();
}

void TransparentRelay::forward(bool from_initiator, Octets frame, const PlayedNetwork::Fate& fate, Instant delay,
                               const std::vector<std::string>& comments) {
  const auto arrived = [this, from_initiator, comments](Octets octets) { deliver(from_initiator, octets, comments); };
  if (!network_.pass(frame, fate, delay, last_arrival_[from_initiator], arrived))
    say_lost(!from_initiator, "too many are on their way");
}

// Lets frames pass that have waited too long for the end of their message.
void TransparentRelay::await_message() {
  const auto due = edits_->next_due();
  if (!due) return;
  timer_.expires_at(*due);
  timer_.async_wait([this](const asio::error_code& code) {
    if (code) return;
    for (const PassingFrame& one : edits_->expire(Clock::now()))
      forward(one.from_initiator, one.octets, one.fate, one.delay, one.comments);
    await_message();
  });
}

void TransparentRelay::deliver(bool from_initiator, Octets frame, std::vector<std::string> comments) {
  if (!is_arp(frame)) last_passed_ = Clock::now();
  const bool to_initiator = !from_initiator;
  if (const asio::error_code code = cable_.send(to_initiator, frame)) return say_lost(to_initiator, code.message());
  if (const std::uint64_t count = std::exchange(undelivered_[to_initiator], 0); count > 0)
    comments.push_back(fmt::format("the relay could not deliver {} frames before this one: {}", count,
                                   why_undelivered_[to_initiator]));
  recording_.frame(from_initiator ? LegInterface::to_responder : LegInterface::to_initiator, frame, comments);
}

}  // namespace wirelaw
