// SPDX-License-Identifier: Apache-2.0
// The frames of a capture in the order of their time stamps, if the file's own order differs within a few frames:
// so it does if several queues or processors captured them. A clock that was set back is left as it is. No frame is
// put before one that begins a part of the file: parts may have been at the same time.
//
// Frames are read in batches, straight to where they wait. One that is in order costs a compare with the one before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "pcap/frame.h"

namespace wirelaw::pcap {

class TimeOrder {
 public:
  static constexpr std::size_t kWindow = 16;                   // frames by which one may be late
  static constexpr std::uint64_t kMostBehindNs = 100'000'000;  // and nanoseconds

  // --- reading: once none may be taken, room is made, frames are added, and it is settled what may be taken.
  void make_room();
  bool has_room() const { return end_ != entries_.size(); }
  // Where the next frame is to be read, and the one that was read there is added. Its octets stay where they are, or
  // keep_octets() is called before they go.
  Frame& slot() { return entries_[end_]; }
  void add() {
    const std::size_t last = end_++;
    entries_[last].order_unknown = false;
    if (entries_[last].time_ns <= entries_[last - 1].time_ns) [[unlikely]]
      put_in_place(last);
  }
  // Same, if its octets become invalid with the next read.
  void add_copy() {
    keep_octets(slot());
    add();
  }
  // Called before add(): the frame in slot() begins a part.
  void begin_part() { part_ = slot().number; }
  // Copies the octets of the frames that wait, as far as they lie in `going`.
  void keep_octets(Octets going);
  // Those that no later frame belongs before may be taken; all of them if nothing follows. False: there is none.
  bool settle(bool nothing_follows);

  // --- taking, in the order of time
  bool has_next() const { return begin_ != settled_; }
  // Its octets are good until frames are added again.
  void take(Frame& frame) { frame = entries_[begin_++]; }

 private:
  bool belongs_before(const Frame& frame, const Frame& other) const {
    // Unsigned: a hostile file's times may be further apart than 63 bits hold.
    const auto behind = static_cast<std::uint64_t>(other.time_ns) - static_cast<std::uint64_t>(frame.time_ns);
    return other.time_ns > frame.time_ns && behind <= kMostBehindNs && frame.number - other.number < kWindow &&
           other.number > part_;
  }
  void put_in_place(std::size_t at);
  void keep_octets(Frame& frame);

  static constexpr std::size_t kBatch = 112;
  // The frame that was taken last, those that may be taken, and those that wait. Before the first, its number is 0.
  std::array<Frame, 1 + kWindow + kBatch> entries_;
  std::size_t begin_ = 1, settled_ = 1, end_ = 1;
  std::uint64_t part_ = 0;  // the frame that began the latest part
  // By the frame's number: none waits while twice the window is read.
  std::array<OctetBuffer, 3 * kWindow> kept_;
};

}  // namespace wirelaw::pcap
