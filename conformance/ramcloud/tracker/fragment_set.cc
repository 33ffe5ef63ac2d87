// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/tracker/fragment_set.h"

#include <algorithm>

namespace wirelaw::ramcloud {

bool FragmentSet::insert_another(std::uint16_t number) {
  if (contains(number)) return false;
  const std::uint64_t bit = std::uint64_t{1} << (number % kInline);
  if (number < kInline) {
    first_ |= bit;
  } else {
    const std::size_t word = number / kInline - 1;
    if (more_.size() <= word) more_.resize(word + 1);
    more_[word] |= bit;
  }
  ++count_;
  while (prefix_ <= 0xffff && contains(static_cast<std::uint16_t>(prefix_))) ++prefix_;
  return true;
}

void FragmentSet::clear() {
  first_ = 0;
  more_.clear();
  count_ = prefix_ = 0;
}

std::uint32_t fingerprint(Octets data) {
  constexpr std::size_t kEnd = sizeof(std::uint64_t);
  std::uint64_t folded = data.size() + 1;
  const auto mix = [&](std::uint64_t value) {
    folded = (folded ^ value) * 0x9e3779b97f4a7c15u;
    folded ^= folded >> 32;
  };
  if (data.size() >= kEnd) {
    mix(load_little_endian<std::uint64_t>(data.data()));
    mix(load_little_endian<std::uint64_t>(data.data() + data.size() - kEnd));
  } else {
    for (const Octet octet : data) mix(octet);
  }
  return static_cast<std::uint32_t>(folded) | 1u;
}

}  // namespace wirelaw::ramcloud
