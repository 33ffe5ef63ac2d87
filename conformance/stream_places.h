// SPDX-License-Identifier: Apache-2.0
// Maps the octets of one direction of a stream to their frames in the capture. Memory is bounded: old octets are
// forgotten.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conformance/trace.h"

namespace wirelaw {

class StreamPlaces {
 public:
  void add(const StreamPiece& piece) {
    if (piece.event != StreamEvent::octets || piece.octets.empty()) return;
    const Piece latest{piece.offset, piece.octets.size(), piece.frame, piece.frame_offset};
    if (ring_.empty()) ring_.reserve(kFirst);
    if (ring_.size() < kMost) return ring_.push_back(latest);
    ring_[first_] = latest;
    first_ = (first_ + 1) % kMost;
  }

  // Appends the places of the octets [begin, end) of the stream. They are the octets of a message from `offset` on.
  void find(std::uint64_t begin, std::uint64_t end, std::size_t offset, std::vector<Place>& places) const {
    for (std::size_t at = first_beyond(begin); at != ring_.size() && piece(at).offset < end; ++at) {
      const Piece& one = piece(at);
      const std::uint64_t from = std::max(begin, one.offset), to = std::min(end, one.offset + one.length);
      const auto ahead = static_cast<std::uint32_t>(from - one.offset);
      places.push_back({.offset = offset + static_cast<std::size_t>(from - begin),
                        .length = static_cast<std::size_t>(to - from),
                        .frame = one.frame,
                        .frame_offset = one.frame_offset == 0 ? 0 : one.frame_offset + ahead});
    }
  }

  std::size_t memory() const { return ring_.size() * sizeof(Piece); }

 private:
  static constexpr std::size_t kMost = 2048;
  static constexpr std::size_t kFirst = 16;  // initial capacity, so that a short stream allocates once

  struct Piece {
    std::uint64_t offset = 0;
    std::size_t length = 0;
    std::uint64_t frame = 0;
    std::uint32_t frame_offset = 0;
  };

  const Piece& piece(std::size_t nth) const { return ring_[(first_ + nth) % ring_.size()]; }
  // The index of the first piece that ends after this octet. The number of pieces if there is none.
  std::size_t first_beyond(std::uint64_t octet) const {
    // The latest piece is the most frequent answer.
    if (!ring_.empty() && piece(ring_.size() - 1).offset <= octet) return ring_.size() - 1;
    std::size_t low = 0, high = ring_.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const Piece& one = piece(middle);
      if (one.offset + one.length <= octet)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  std::vector<Piece> ring_;
  std::size_t first_ = 0;  // index of the oldest, once the ring is full
};

}  // namespace wirelaw
