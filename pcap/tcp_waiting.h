// SPDX-License-Identifier: Apache-2.0
// Segments that acknowledge octets which have not been captured yet, and later segments of the same senders.
// The frames of the two directions may come from two taps, or from two hosts, whose clocks differ, and a capture may
// hold a frame later than it was sent. TCP's sequence numbers order them: an acknowledgment follows the octets that it
// acknowledges.
#pragma once

#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>

#include "pcap/tcp.h"

namespace wirelaw::pcap {

class WaitingSegments {
 public:
  struct One {
    Segment segment;  // its payload is `octets`
    OctetBuffer octets;
    bool from_a = false;

    explicit One(const Segment& said, bool by_a)
        : segment(said), octets(said.payload.begin(), said.payload.end()), from_a(by_a) {
      segment.payload = octets;
      segment.carriers = nullptr;
    }
    One(One&& other) noexcept : One(Segment{}, false) { *this = std::move(other); }
    One& operator=(One&& other) noexcept {
      segment = other.segment;
      octets = std::move(other.octets);
      from_a = other.from_a;
      segment.payload = octets;
      return *this;
    }
  };

  bool empty() const { return queues_[0].empty() && queues_[1].empty(); }
  bool has(bool from_a) const { return !queue(from_a).empty(); }
  const Segment& front(bool from_a) const { return queue(from_a).front().segment; }
  // True if the oldest waiting segment is from side a. At least one segment must wait.
  bool oldest_is_of_a() const { return has(true) && (!has(false) || front(true).frame <= front(false).frame); }

  // True if a segment that the same side sent before this one waits.
  bool precedes(const Segment& segment, bool from_a) const { return has(from_a) && !is_before(segment, front(from_a)); }

  // Inserts by sequence number; segments with equal numbers stay in the order of arrival.
  void add(const Segment& segment, bool from_a) {
    std::deque<One>& waiting = queue(from_a);
    auto at = waiting.end();
    while (at != waiting.begin() && is_before(segment, std::prev(at)->segment)) --at;
    memory_ += cost(*waiting.emplace(at, segment, from_a));
  }
  One take(bool from_a) {
    One one = std::move(queue(from_a).front());
    queue(from_a).pop_front();
    memory_ -= cost(one);
    return one;
  }
  std::size_t memory() const { return memory_; }

 private:
  static bool is_before(const Segment& one, const Segment& two) {
    return static_cast<std::int32_t>(one.seq - two.seq) < 0;
  }
  static std::size_t cost(const One& one) { return sizeof(One) + one.octets.size(); }
  std::deque<One>& queue(bool from_a) { return queues_[from_a ? 0 : 1]; }
  const std::deque<One>& queue(bool from_a) const { return queues_[from_a ? 0 : 1]; }

  std::deque<One> queues_[2];  // [0]: from a, [1]: from b
  std::size_t memory_ = 0;
};

}  // namespace wirelaw::pcap
