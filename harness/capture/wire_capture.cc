// SPDX-License-Identifier: Apache-2.0
#include "harness/capture/wire_capture.h"

#include <fmt/format.h>

#include <algorithm>

#include "pcap/frame_segment.h"

namespace wirelaw {
namespace {

constexpr std::size_t kMostOctets = std::size_t{256} << 20;  // frames that wait for next()

}  // namespace

void WireCapture::begin() {
  take();
  kept_.clear();
  kept_octets_ = 0;
  dropped_ = 0;
  lost_before_ = source_->lost();
}

void WireCapture::take() {
  pcap::Frame frame;
  pcap::Segment segment;
  while (source_->next(frame)) {
    if (!pcap::segment_of(frame, segment)) continue;
    if (kept_octets_ + frame.octets.size() > kMostOctets) {
      ++dropped_;
      dropped_any_ = true;
      continue;
    }
    kept_octets_ += frame.octets.size();
    Kept& kept = kept_.emplace_back(Kept{segment.source, segment.destination, {frame, {}}});
    kept.captured.octets.assign(frame.octets.begin(), frame.octets.end());
  }
}

std::optional<CapturedFrame> WireCapture::next(const pcap::Endpoint& one, const pcap::Endpoint& other) {
  take();
  const auto found = std::ranges::find_if(kept_, [&](const Kept& kept) {
    return (kept.source == one && kept.destination == other) || (kept.source == other && kept.destination == one);
  });
  if (found == kept_.end()) return std::nullopt;
  CapturedFrame captured = std::move(found->captured);
  kept_.erase(found);
  kept_octets_ -= captured.octets.size();
  captured.frame.octets = captured.octets;
  return captured;
}

std::string WireCapture::incomplete() const {
  const std::uint64_t lost = source_->lost() - lost_before_ + dropped_;
  if (lost == 0) return {};
  return fmt::format("the capture on {} has lost {} frame{}", name(), lost, lost == 1 ? "" : "s");
}

}  // namespace wirelaw
