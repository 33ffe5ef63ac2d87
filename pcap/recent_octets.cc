// SPDX-License-Identifier: Apache-2.0
#include "pcap/recent_octets.h"

#include <algorithm>

namespace wirelaw::pcap {

void RecentOctets::grow(std::size_t size) {
  const std::size_t capacity = std::min(bound_, std::max({size, 2 * capacity_, kFirstCapacity}));
  auto ring = std::make_unique_for_overwrite<Octet[]>(capacity);
  if (size_ > 0) std::memcpy(ring.get(), ring_.get(), size_);
  ring_ = std::move(ring);
  capacity_ = capacity;
}

void RecentOctets::wrap_or_grow(Octets octets) {
  const std::size_t grown = std::min(octets.size(), bound_ - size_);
  if (size_ + grown > capacity_) grow(size_ + grown);
  if (grown > 0) std::memcpy(ring_.get() + size_, octets.data(), grown);
  size_ += grown;
  for (octets = octets.subspan(grown); !octets.empty();) {
    if (at_ == bound_) at_ = 0;
    const std::size_t part = std::min(octets.size(), bound_ - at_);
    std::memcpy(ring_.get() + at_, octets.data(), part);
    at_ += part;
    octets = octets.subspan(part);
  }
}

void RecentOctets::clear() {
  size_ = at_ = 0;
}

void RecentOctets::release() {
  ring_.reset();
  size_ = capacity_ = at_ = 0;
}

Octet RecentOctets::from_end(std::size_t back) const {
  return ring_[(at_ + size_ - back) % size_];
}

std::optional<std::size_t> RecentOctets::find_difference(std::size_t back, Octets octets) const {
  std::size_t done = 0;
  while (done < octets.size()) {
    const std::size_t from = (at_ + size_ - back + done) % size_;
    const std::size_t part = std::min(octets.size() - done, size_ - from);
    const Octets here = octets.subspan(done, part);
    if (std::memcmp(ring_.get() + from, here.data(), part) != 0) {
      const auto differs = std::mismatch(here.begin(), here.end(), ring_.get() + from);
      return done + static_cast<std::size_t>(differs.first - here.begin());
    }
    done += part;
  }
  return std::nullopt;
}

}  // namespace wirelaw::pcap
