// SPDX-License-Identifier: Apache-2.0
// Digests of the latest packets of a side. UDP may deliver a packet twice without a fault of its sender.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "conformance/efa/tracker/seen.h"

namespace wirelaw::efa {

class RecentPackets {
 public:
  // Adds the octets. Returns true if the same octets are among the latest ones added.
  bool add(const Message& message) {
    const std::uint64_t digest = digest_of(message);
    const bool known = alike(digest) != 0 && std::ranges::find(digests_, digest) != digests_.end();
    std::uint64_t& place = digests_[next_++ % kKept];
    --alike(place);
    ++alike(digest);
    place = digest;
    return known;
  }

 private:
  static constexpr std::size_t kKept = 32;
  static constexpr unsigned kAlikeBits = 10;
  static constexpr std::size_t kLooked = 32;  // octets hashed at each end of a packet: headers, and enough of the data

  static std::uint64_t digest_of(const Message& message) {
    const Octets octets = message.octets;
    const bool is_short = octets.size() <= 2 * kLooked;
    std::uint64_t digest = hash_of(is_short ? octets : octets.first(kLooked));
    if (!is_short) digest = digest * 0x9e3779b97f4a7c15u ^ hash_of(octets.last(kLooked));
    return (digest + message.wire_length) | 1;  // never 0, the value of an empty place
  }

  // The number of kept digests that share the first bits of this one. Usually it is 0 and the search is skipped.
  std::uint8_t& alike(std::uint64_t digest) { return alike_[digest >> (64 - kAlikeBits)]; }

  std::array<std::uint64_t, kKept> digests_{};
  std::array<std::uint8_t, std::size_t{1} << kAlikeBits> alike_{kKept};  // empty places are alike
  std::size_t next_ = 0;
};

}  // namespace wirelaw::efa
