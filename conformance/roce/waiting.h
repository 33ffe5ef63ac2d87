// SPDX-License-Identifier: Apache-2.0
// Packets of a connection from an answer on to requests that have not been captured yet. The frames of the two
// directions may come from two taps, or from two hosts, whose clocks differ, and a capture may hold a frame later than
// it was sent. Packet sequence numbers order them: an answer follows what it answers. Memory is bounded: if too many
// packets wait, or for too long, the first one waits no longer: what it answers is missing in the capture.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>

#include "conformance/trace.h"
#include "reference/octets/octets.h"
#include "reference/roce/packet.h"

namespace wirelaw::roce {

class WaitingPackets {
 public:
  static constexpr std::size_t kMost = 256;                    // packets
  static constexpr std::size_t kMostOctets = 1U << 20;         // their octets
  static constexpr std::uint64_t kPatienceNs = 1'000'000'000;  // from the first packet that waits

  struct One {
    Message message;
    OctetBuffer octets, headers;
    std::uint32_t psn = 0;
    bool is_request = false;

    One(const Message& said, const Packet& packet)
        : message(said),
          octets(said.octets.begin(), said.octets.end()),
          headers(said.headers.begin(), said.headers.end()),
          psn(packet.bth.psn),
          is_request(packet.requests()) {
      message.places = {};
      point();
    }
    One(One&& from) noexcept { *this = std::move(from); }
    One& operator=(One&& from) noexcept {
      message = from.message;
      octets = std::move(from.octets);
      headers = std::move(from.headers);
      psn = from.psn;
      is_request = from.is_request;
      point();
      return *this;
    }

   private:
    void point() {
      message.octets = octets;
      message.headers = headers;
    }
  };

  bool empty() const { return packets_.empty(); }
  const One& front() const { return packets_.front(); }
  void add(const Message& message, const Packet& packet) { octets_ += cost(packets_.emplace_back(message, packet)); }
  One take_front() { return take(packets_.begin()); }

  // Takes the first request from `sender` whose number is in the given range. Returns false if there is none.
  template <class Use>
  bool take_request(Side sender, std::uint32_t first, std::uint32_t last, Use use) {
    const auto found = std::ranges::find_if(packets_, [&](const One& one) {
      return one.is_request && one.message.sender == sender && psn_distance(one.psn, first) >= 0 &&
             psn_distance(last, one.psn) >= 0;
    });
    if (found == packets_.end()) return false;
    use(take(found));
    return true;
  }
  // True if the first packet has waited long enough when `message` is captured.
  bool is_over(const Message& message) const {
    const auto waited =
        static_cast<std::uint64_t>(message.time_ns) - static_cast<std::uint64_t>(front().message.time_ns);
    const bool is_long = message.time_ns > front().message.time_ns && waited > kPatienceNs;
    return is_long || packets_.size() > kMost || octets_ > kMostOctets;
  }
  std::size_t memory() const { return packets_.size() * sizeof(One) + octets_; }

 private:
  static std::size_t cost(const One& one) { return one.octets.size() + one.headers.size(); }
  One take(std::deque<One>::iterator at) {
    One one = std::move(*at);
    octets_ -= cost(one);
    packets_.erase(at);
    return one;
  }

  std::deque<One> packets_;
  std::size_t octets_ = 0;
};

}  // namespace wirelaw::roce
