// SPDX-License-Identifier: Apache-2.0
#include "harness/recording.h"

#include <utility>

namespace wirelaw {
namespace {

// A case that sends more than this is written as it goes. Later findings then add no comment to its early frames.
constexpr std::size_t kHeldFrames = 16'384;
constexpr std::size_t kHeldOctets = 8u << 20;

}  // namespace

std::uint64_t Recording::add(RecordedFrame frame) {
  if (held_.size() >= kHeldFrames || held_octets_ >= kHeldOctets) flush();
  frame.comments.insert(frame.comments.begin(), announced_.begin(), announced_.end());
  announced_.clear();
  held_octets_ += frame.octets.size();
  held_.push_back(std::move(frame));
  return frames();
}

void Recording::annotate(std::uint64_t frame, std::string comment) {
  if (frame <= written_ || frame > frames()) return;
  held_octets_ += comment.size();
  held_[frame - written_ - 1].comments.push_back(std::move(comment));
}

void Recording::take(const RecordedFrame& frame) {
  flush();
  sink_.write(frame);
  ++written_;
}

void Recording::flush() {
  for (const RecordedFrame& frame : held_) sink_.write(frame);
  written_ += held_.size();
  held_.clear();
  held_octets_ = 0;
}

}  // namespace wirelaw
