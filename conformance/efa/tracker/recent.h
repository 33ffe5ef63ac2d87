// SPDX-License-Identifier: Apache-2.0
// Digests of the latest packets of a side. UDP may deliver a packet twice without a fault of its sender.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "conformance/efa/tracker/seen.h"

namespace wirelaw::efa {

class RecentPackets {
 public:
  // Adds the octets. Returns when the same octets were added last, if they are among the latest ones added.
  std::optional<std::int64_t> add(const Message& message) {
    const std::uint64_t digest = digest_of(message);
    const auto known = alike(digest) == 0 ? std::nullopt : time_of(digest);
    const std::size_t at = next_++ % kKept;
    --alike(digests_[at]);
    ++alike(digest);
    digests_[at] = digest;
    times_ns_[at] = message.time_ns;
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

  std::optional<std::int64_t> time_of(std::uint64_t digest) const {
    for (std::size_t back = 1; back <= kKept; ++back)
      if (const std::size_t at = (next_ - back) % kKept; digests_[at] == digest) return times_ns_[at];
    return std::nullopt;
  }

  // The number of kept digests that share the first bits of this one. Usually it is 0 and the search is skipped.
  std::uint8_t& alike(std::uint64_t digest) { return alike_[digest >> (64 - kAlikeBits)]; }

  std::array<std::uint64_t, kKept> digests_{};
  std::array<std::int64_t, kKept> times_ns_{};
  std::array<std::uint8_t, std::size_t{1} << kAlikeBits> alike_{kKept};  // empty places are alike
  std::size_t next_ = 0;
};

}  // namespace wirelaw::efa
