// SPDX-License-Identifier: Apache-2.0
// The packets that a side has sent last, as digests: UDP may deliver a packet twice, and its sender is not to blame.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "conformance/trace.h"

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
  static constexpr std::size_t kKept = 16;
  static constexpr std::size_t kLooked = 64;  // octets at each end of a packet: headers, and enough of the data

  static std::uint64_t mix(std::uint64_t digest, Octets octets) {
    for (; octets.size() >= 8; octets = octets.subspan(8))
      digest = step(digest, load_little_endian<std::uint64_t>(octets.data()));
    for (const Octet octet : octets) digest = step(digest, octet);
    return digest;
  }
  static std::uint64_t step(std::uint64_t digest, std::uint64_t value) {
    digest = (digest ^ value) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 29;
  }
  static std::uint64_t digest_of(const Message& message) {
    const Octets octets = message.octets;
    std::uint64_t digest = step(0x6a09e667f3bcc908u, message.wire_length);
    digest = mix(digest, octets.first(std::min(octets.size(), kLooked)));
    if (octets.size() > kLooked) digest = mix(digest, octets.last(std::min(octets.size() - kLooked, kLooked)));
    return digest | 1;  // never that of an empty place
  }

  std::array<std::uint64_t, kKept> digests_{};
  std::size_t next_ = 0;
};

}  // namespace wirelaw::efa
