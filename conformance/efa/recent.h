// SPDX-License-Identifier: Apache-2.0
// The packets that a side has sent last, as digests: UDP may deliver a packet twice, and its sender is not to blame.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "conformance/efa/seen.h"

namespace wirelaw::efa {

class RecentPackets {
 public:
  // Whether the same octets are among the last that were added; adds them.
  bool add(const Message& message) {
    const std::uint64_t digest = digest_of(message);
    const bool known = std::ranges::find(digests_, digest) != digests_.end();
    digests_[next_++ % kKept] = digest;
    return known;
  }

 private:
  static constexpr std::size_t kKept = 32;
  static constexpr std::size_t kLooked = 64;  // octets at each end of a packet: headers, and enough of the data

  static std::uint64_t digest_of(const Message& message) {
    const Octets octets = message.octets;
    const bool is_short = octets.size() <= 2 * kLooked;
    std::uint64_t digest = hash_of(is_short ? octets : octets.first(kLooked));
    if (!is_short) digest = digest * 0x9e3779b97f4a7c15u ^ hash_of(octets.last(kLooked));
    return (digest + message.wire_length) | 1;  // never that of an empty place
  }

  std::array<std::uint64_t, kKept> digests_{};
  std::size_t next_ = 0;
};

}  // namespace wirelaw::efa
