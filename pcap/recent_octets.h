// SPDX-License-Identifier: Apache-2.0
// Keeps the last octets of a stream, up to a bound, to compare them with octets that are sent again.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

class RecentOctets {
 public:
  static constexpr std::size_t kFirstCapacity = 512;  // enough for a short conversation

  explicit RecentOctets(std::size_t bound) : bound_(bound) {}

  void append(Octets octets) {
    if (octets.size() > bound_) octets = octets.last(bound_);
    if (octets.empty()) return;
    if (size_ < bound_ && octets.size() <= capacity_ - size_) {
      std::memcpy(ring_.get() + size_, octets.data(), octets.size());
      size_ += octets.size();
    } else if (size_ == bound_ && octets.size() <= bound_ - at_) {
      std::memcpy(ring_.get() + at_, octets.data(), octets.size());
      at_ += octets.size();
    } else {
      wrap_or_grow(octets);
    }
  }
  void clear();    // the next octets do not continue these
  void release();  // frees the memory

  std::size_t size() const { return size_; }
  std::size_t memory() const { return capacity_; }

  // Returns the octet at distance `back` from the end; 1 is the last. 1 <= back <= size().
  Octet from_end(std::size_t back) const;

  // Compares `octets` with those that begin `back` octets from the end, and returns the index of the first difference.
  // octets.size() <= back <= size().
  std::optional<std::size_t> find_difference(std::size_t back, Octets octets) const;

 private:
  void wrap_or_grow(Octets octets);
  void grow(std::size_t size);

  std::size_t bound_;
  std::size_t size_ = 0, capacity_ = 0;
  std::size_t at_ = 0;  // index for the next octet; in a full ring, of the oldest one; before that 0 or the bound
  std::unique_ptr<Octet[]> ring_;
};

}  // namespace wirelaw::pcap
