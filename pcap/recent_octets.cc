// SPDX-License-Identifier: Apache-2.0
#include "pcap/recent_octets.h"

#include <algorithm>

namespace wirelaw::pcap {

void RecentOctets::wrap_or_grow(Octets octets) {
  const std::size_t grown = std::min(octets.size(), bound_ - ring_.size());
  if (const std::size_t size = ring_.size() + grown; size > ring_.capacity())
    ring_.reserve(std::min(bound_, std::max(size, 2 * ring_.capacity())));
  ring_.insert(ring_.end(), octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(grown));
  for (octets = octets.subspan(grown); !octets.empty();) {
    if (at_ == bound_) at_ = 0;
    const std::size_t part = std::min(octets.size(), bound_ - at_);
    std::memcpy(ring_.data() + at_, octets.data(), part);
    at_ += part;
    octets = octets.subspan(part);
  }
}

void RecentOctets::clear() {
  ring_.clear();
  at_ = 0;
}

void RecentOctets::release() {
  OctetBuffer().swap(ring_);
  at_ = 0;
}

Octet RecentOctets::from_end(std::size_t back) const {
  return ring_[(at_ + ring_.size() - back) % ring_.size()];
}

std::optional<std::size_t> RecentOctets::find_difference(std::size_t back, Octets octets) const {
  std::size_t done = 0;
  while (done < octets.size()) {
    const std::size_t from = (at_ + ring_.size() - back + done) % ring_.size();
    const std::size_t part = std::min(octets.size() - done, ring_.size() - from);
    const Octets here = octets.subspan(done, part);
    if (std::memcmp(ring_.data() + from, here.data(), part) != 0) {
      const auto differs = std::mismatch(here.begin(), here.end(), ring_.begin() + static_cast<std::ptrdiff_t>(from));
      return done + static_cast<std::size_t>(differs.first - here.begin());
    }
    done += part;
  }
  return std::nullopt;
}

}  // namespace wirelaw::pcap
