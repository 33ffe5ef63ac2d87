// SPDX-License-Identifier: Apache-2.0
// The last octets of a stream, up to a bound, for comparison with what is sent again.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

class RecentOctets {
 public:
  static constexpr std::size_t kFirstCapacity = 512;  // a short conversation has few octets more

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
  void clear();    // what follows does not continue what is here
  void release();  // gives the memory back

  std::size_t size() const { return size_; }
  std::size_t memory() const { return capacity_; }

  // The octet that is `back` from the end; 1 is the last. 1 <= back <= size().
  Octet from_end(std::size_t back) const;

  // Compares `octets` with those that begin `back` from the end: the index of the first that differs.
  // octets.size() <= back <= size().
  std::optional<std::size_t> find_difference(std::size_t back, Octets octets) const;

 private:
  void wrap_or_grow(Octets octets);
  void grow(std::size_t size);

  std::size_t bound_;
  std::size_t size_ = 0, capacity_ = 0;
  std::size_t at_ = 0;  // the oldest octet in a full ring, where the next one goes; before that 0 or the bound
  std::unique_ptr<Octet[]> ring_;
};

}  // namespace wirelaw::pcap
