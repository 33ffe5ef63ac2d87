// SPDX-License-Identifier: Apache-2.0
// Where the octets of one direction of a stream are in the capture: the way back from what an observer has put together
// to frames. Bounded: of octets that are long past it knows nothing any more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <vector>

#include "conformance/trace.h"

namespace wirelaw {

class StreamPlaces {
 public:
  void add(const StreamPiece& piece) {
    if (piece.event != StreamEvent::octets || piece.octets.empty()) return;
    if (pieces_.size() == kMost) pieces_.pop_front();
    pieces_.push_back({piece.offset, piece.octets.size(), piece.frame, piece.frame_offset});
  }

  // Appends the places of the octets [begin, end) of the stream, which are those from `offset` on of a message.
  void find(std::uint64_t begin, std::uint64_t end, std::size_t offset, std::vector<Place>& places) const {
    // Mostly it is the latest piece that is asked for.
    auto piece =
        !pieces_.empty() && pieces_.back().offset <= begin
            ? std::prev(pieces_.end())
            : std::ranges::partition_point(pieces_, [&](const Piece& one) { return one.offset + one.length <= begin; });
    for (; piece != pieces_.end() && piece->offset < end; ++piece) {
      const std::uint64_t from = std::max(begin, piece->offset), to = std::min(end, piece->offset + piece->length);
      const auto ahead = static_cast<std::uint32_t>(from - piece->offset);
      places.push_back({.offset = offset + static_cast<std::size_t>(from - begin),
                        .length = static_cast<std::size_t>(to - from),
                        .frame = piece->frame,
                        .frame_offset = piece->frame_offset == 0 ? 0 : piece->frame_offset + ahead});
    }
  }

  std::size_t memory() const { return pieces_.size() * sizeof(Piece); }

 private:
  static constexpr std::size_t kMost = 2048;

  struct Piece {
    std::uint64_t offset = 0;
    std::size_t length = 0;
    std::uint64_t frame = 0;
    std::uint32_t frame_offset = 0;
  };
  std::deque<Piece> pieces_;
};

}  // namespace wirelaw
