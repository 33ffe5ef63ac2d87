// SPDX-License-Identifier: Apache-2.0
#include "pcap/early_packets.h"

#include <utility>

namespace wirelaw::pcap {
namespace {

using roce::psn_distance;

// Decides which packets to or from an end are those of the new connection.
class Numbers {
 public:
  Numbers(const OpenedEnd& initiator, const OpenedEnd& responder)
      : ends_{initiator, responder},
        latest_{{{initiator.first_psn, initiator.first_psn}, {responder.first_psn, responder.first_psn}}} {}

  // True if the packet is sent from the one end to the other.
  bool joins(const EarlyPackets::One& packet) const { return sender_of(packet) != nullptr; }
  // The packet joins the ends. An answer has the number of a request in the other direction.
  bool follow(const EarlyPackets::One& packet) {
    if (!packet.is_request && !packet.is_answer) return true;
    const bool is_of_initiator = (sender_of(packet) == &ends_[0]) == packet.is_request;
    const std::uint32_t first = ends_[is_of_initiator ? 0 : 1].first_psn;
    std::uint32_t& latest = latest_[is_of_initiator ? 0 : 1][packet.is_request ? 0 : 1];
    const std::int32_t ahead = psn_distance(packet.psn, latest);
    if (psn_distance(packet.psn, first) < 0 || ahead > kNear || ahead < -kNear) return false;
    if (ahead > 0) latest = packet.psn;
    return true;
  }

 private:
  // A Read of 16 MiB takes as many numbers with the smallest path MTU.
  static constexpr std::int32_t kNear = 1 << 16;

  const OpenedEnd* sender_of(const EarlyPackets::One& packet) const {
    for (const std::size_t from : {0U, 1U})
      if (packet.to == ends_[1 - from].queue && packet.datagram.source.address == ends_[from].queue.address)
        return &ends_[from];
    return nullptr;
  }

  std::array<OpenedEnd, 2> ends_;
  // The latest numbers: for each end, that of its requests and that of the answers to them.
  std::array<std::array<std::uint32_t, 2>, 2> latest_;
};

}  // namespace

void EarlyPackets::open(const CmConversation& name) {
  if (is_opening(name)) return;
  if (openings_.size() == kMostOpenings) {
    const CmConversation oldest = openings_.front().name;
    refused(oldest);
  }
  openings_.push_back({name, numbers_++});
}

void EarlyPackets::hold(const Datagram& datagram, const roce::Packet& packet, const QueuePair& before,
                        const std::optional<CmConversation>& ends) {
  One& one = held_.emplace_back();
  one.octets.assign(datagram.payload.begin(), datagram.payload.end());
  one.headers.assign(datagram.headers.begin(), datagram.headers.end());
  one.datagram = datagram;
  one.datagram.payload = one.datagram.headers = {};
  one.datagram.carriers = nullptr;
  one.to = {datagram.destination.address, packet.bth.destination_qp};
  one.psn = packet.bth.psn;
  one.is_request = packet.requests();
  one.is_answer = packet.answers();
  one.ends = ends;
  one.before = before;
  one.number = numbers_++;
  octets_ += one.octets.size() + one.headers.size();
  while (held_.size() > kMost || (octets_ > kMostOctets && held_.size() > 1)) give_up(held_.front());
}

EarlyPackets::One EarlyPackets::take_released() {
  One one = std::move(released_.front());
  released_.pop_front();
  octets_ -= one.octets.size() + one.headers.size();
  one.datagram.payload = one.octets;
  one.datagram.headers = one.headers;
  return one;
}

// Releases the packets that wait for no other connection between the same addresses. Returns their number.
std::uint64_t EarlyPackets::release_rest(const CmConversation& name) {
  std::uint64_t awaited = numbers_;
  for (const Opening& one : openings_)
    if (is_between(one.name, name.initiator, name.responder)) awaited = std::min(awaited, one.number);
  const auto waits_no_longer = [&](const One& one) {
    return one.number < awaited && is_between(one, name.initiator, name.responder);
  };
  if (std::ranges::none_of(held_, waits_no_longer)) return 0;
  const std::size_t before = released_.size();
  std::deque<One> kept;
  for (One& one : held_) (waits_no_longer(one) ? released_ : kept).push_back(std::move(one));
  held_ = std::move(kept);
  return released_.size() - before;
}

void EarlyPackets::opened(const CmConversation& name, const OpenedEnd& initiator, const OpenedEnd& responder) {
  std::erase_if(openings_, [&](const Opening& one) { return one.name == name; });
  Numbers numbers(initiator, responder);
  const auto is_concerned = [&](const One& one) { return one.ends == name || numbers.joins(one); };
  if (std::ranges::any_of(held_, is_concerned)) {
    std::deque<One> of_connection, kept;
    for (One& one : held_) {
      if (!is_concerned(one)) {
        kept.push_back(std::move(one));
      } else if (one.ends || numbers.follow(one)) {
        of_connection.push_back(std::move(one));
      } else {
        one.is_older = true;
        released_.push_back(std::move(one));
      }
    }
    held_ = std::move(kept);
    for (One& one : of_connection) released_.push_back(std::move(one));
  }
  release_rest(name);
}

void EarlyPackets::refused(const CmConversation& name) {
  std::erase_if(openings_, [&](const Opening& one) { return one.name == name; });
  release_rest(name);
}

// The message that names the queue pair of this packet is missing, or too late. All packets that wait for it wait no
// longer.
void EarlyPackets::give_up(const One& packet) {
  const CmConversation between{packet.datagram.source.address, packet.datagram.destination.address};
  const std::uint64_t number = packet.number;
  std::erase_if(openings_, [&](const Opening& one) {
    return one.number < number && is_between(one.name, between.initiator, between.responder);
  });
  unnamed_ += release_rest(between);
}

}  // namespace wirelaw::pcap
