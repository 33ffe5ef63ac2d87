// SPDX-License-Identifier: Apache-2.0
// Captures the network traffic of a run, sorted by connection. The owner of a conversation asks for its frames. Frames
// that are not asked for are kept until the next case, up to a limit.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "harness/capture/frame_source.h"
#include "pcap/address.h"
#include "reference/octets/octets.h"

namespace wirelaw {

struct CapturedFrame {
  pcap::Frame frame;   // whose octets are these:
  OctetBuffer octets;  // the whole frame
};

class WireCapture {
 public:
  // `patience` is how long something may take to be captured that has happened already.
  WireCapture(std::unique_ptr<FrameSource> source, std::chrono::nanoseconds patience)
      : source_(std::move(source)), patience_(patience) {}

  // Another case begins: what has arrived until now does not belong to it.
  void begin();
  // Returns the next frame of the connection between these two ends.
  std::optional<CapturedFrame> next(const pcap::Endpoint& one, const pcap::Endpoint& other);
  // Waits until a frame of any connection has arrived, or for `time`.
  void wait(std::chrono::nanoseconds time) { source_->wait(time); }
  std::chrono::nanoseconds patience() const { return patience_; }

  // Why next() does not give everything in this case; empty if it does. Once this is empty, everything that next() has
  // given before was complete.
  std::string incomplete() const;
  // True if anything was lost in the whole run.
  bool has_lost_any() const { return source_->lost() > 0 || dropped_any_; }
  const std::string& name() const { return source_->name(); }

 private:
  struct Kept {
    pcap::Endpoint source, destination;
    CapturedFrame captured;
  };
  void take();

  std::unique_ptr<FrameSource> source_;
  std::chrono::nanoseconds patience_;
  std::deque<Kept> kept_;
  std::size_t kept_octets_ = 0;
  std::uint64_t dropped_ = 0;      // frames dropped here for lack of room, in this case
  bool dropped_any_ = false;       // true: frames were dropped here in some case
  std::uint64_t lost_before_ = 0;  // frames lost before this case
};

}  // namespace wirelaw
