// SPDX-License-Identifier: Apache-2.0
// A record of the latest segments of a direction, to compare with a Terminate that blames one of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/ddp/segment.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

struct RecentSegment {
  std::uint64_t index = 0;  // index of the FPDU
  std::uint64_t frame = 0;
  std::uint16_t ulpdu_length = 0;
  std::uint8_t header_octets = 0;  // octets stored in `header`
  std::array<Octet, ddp::layout::kUntagged + layout::kReadRequest> header{};
  // Errors of the segment that the trace shows and that a receiver may report; empty: none seen.
  std::array<ErrorCode, 3> faults{};
  std::uint8_t fault_count = 0;
  std::optional<std::size_t> depth = {};  // a Read Request within the agreed number, which is this one
};

// The latest kMost segments, in a ring buffer. Hardly any segment is ever looked up.
class RecentSegments {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kFirst = 16;  // initial capacity, so that short connections allocate once

  void push(const RecentSegment& segment) {
    if (ring_.size() == kMost) {
      ring_[oldest_++ % kMost] = segment;
      return;
    }
    if (ring_.empty()) ring_.reserve(kFirst);
    ring_.push_back(segment);
  }
  std::size_t size() const { return ring_.size(); }
  const RecentSegment& from_the_latest(std::size_t back) const {  // 0: the latest; below size()
    return ring_[(oldest_ + ring_.size() - 1 - back) % kMost];
  }
  const RecentSegment& oldest() const { return from_the_latest(size() - 1); }
  std::span<const RecentSegment> in_any_order() const { return ring_; }

 private:
  std::vector<RecentSegment> ring_;
  std::size_t oldest_ = 0;  // index of the oldest segment; increases without wrapping to 0
};

}  // namespace wirelaw::rdmap
