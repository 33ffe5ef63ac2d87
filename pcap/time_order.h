// SPDX-License-Identifier: Apache-2.0
// Returns the frames of a capture in the order of their time stamps, if the file's own order differs only within a few
// frames, as it does if several queues or processors captured them. Frames after a clock that was set back are left as
// they are. No frame is moved before one that begins a part of the file, because parts may have overlapped in time.
//
// Frames are read in batches, directly to where they wait. A frame that is in order costs one comparison with the one
// before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "pcap/frame.h"

namespace wirelaw::pcap {

class TimeOrder {
 public:
  static constexpr std::size_t kWindow = 16;                   // a frame may be late by this many frames
  static constexpr std::uint64_t kMostBehindNs = 100'000'000;  // and by this many nanoseconds

  // --- reading, once no frame may be taken: make_room(), then add() frames, then settle() which of them may be taken
  void make_room();
  bool has_room() const { return end_ != entries_.size(); }
  // slot() is the place for the next frame, which add() then adds. Its octets stay in place, or keep_octets() is called
  // before they become invalid.
  Frame& slot() { return entries_[end_]; }
  void add() {
    const std::size_t last = end_++;
    entries_[last].order_unknown = false;
    if (entries_[last].time_ns <= entries_[last - 1].time_ns) [[unlikely]]
      put_in_place(last);
  }
  // Same as add(), for a frame whose octets become invalid with the next read.
  void add_copy() {
    keep_octets(slot());
    add();
  }
  // Call it before add() if the frame in slot() begins a part.
  void begin_part() { part_ = slot().number; }
  // Copies the octets of waiting frames that lie in `going`.
  void keep_octets(Octets going);
  // Releases the frames that no later frame can precede; all frames if nothing follows. Returns false if there are
  // none.
  bool settle(bool nothing_follows);

  // --- taking, in the order of time
  bool has_next() const { return begin_ != settled_; }
  // The frame's octets are valid until frames are added again.
  void take(Frame& frame) { frame = entries_[begin_++]; }

 private:
  bool belongs_before(const Frame& frame, const Frame& other) const {
    // Unsigned, because the times of a hostile file may differ by more than 63 bits can hold.
    const auto behind = static_cast<std::uint64_t>(other.time_ns) - static_cast<std::uint64_t>(frame.time_ns);
    return other.time_ns > frame.time_ns && behind <= kMostBehindNs && frame.number - other.number < kWindow &&
           other.number > part_;
  }
  void put_in_place(std::size_t at);
  void keep_octets(Frame& frame);

  static constexpr std::size_t kBatch = 112;
  // The last frame taken, the frames that may be taken, and those that wait. The first of these has the number 0 at the
  // beginning.
  std::array<Frame, 1 + kWindow + kBatch> entries_;
  std::size_t begin_ = 1, settled_ = 1, end_ = 1;
  std::uint64_t part_ = 0;  // the frame that began the latest part
  // Copies of octets, at the frame number modulo the size. No frame waits while twice the window is read.
  std::array<OctetBuffer, 3 * kWindow> kept_;
};

}  // namespace wirelaw::pcap
