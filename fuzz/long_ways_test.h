// SPDX-License-Identifier: Apache-2.0
// Common parts of the tests of captures between honest endpoints with long delays, for all protocols. A capture may
// begin with any packet.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <walked_part.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "fuzz/delayed_capture.h"

namespace wirelaw::fuzz {

inline constexpr std::int64_t kLongWaysMs[] = {1, 100, 1300, 3000};
inline constexpr TapPlace kTaps[] = {TapPlace::at_a, TapPlace::between, TapPlace::at_b};

inline Path long_way(std::uint32_t seed, std::int64_t most_ms, TapPlace tap, Octet loss = 0) {
  constexpr std::int64_t kMillisecond = 1'000'000;
  return {.seed = seed,
          .least_ns = most_ms * kMillisecond * (seed % 3) / 3,
          .most_ns = most_ms * kMillisecond,
          .loss = loss,
          .tap = tap};
}

// Random octets from a seed, which determine the calls of the two sides.
class AnyOctets {
 public:
  explicit AnyOctets(std::uint32_t seed) : random_(seed + 1) {}
  template <class Range>
  void fill(Range& range) {
    for (Octet& one : range) one = static_cast<Octet>(random_() >> 8);
  }
  OctetBuffer next(std::size_t octets) {
    OctetBuffer all(octets);
    fill(all);
    return all;
  }

 private:
  std::minstd_rand random_;
};

// `run(skipped)` returns the outcome of one conversation whose capture lacks its first `skipped` packets. Calls it with
// 0, then with every kWalkedPart-th number, starting from one that depends on the seed; for a long capture with about
// kMostBegins numbers. Adds the messages of all captures to `messages`.
template <class Run>
void expect_no_failed_must(std::uint32_t seed, std::uint64_t& messages, const Run& run) {
  constexpr std::uint64_t kMostBegins = 40;
  const auto after = [&](std::uint64_t skipped, std::uint64_t packets) {
    const std::uint64_t step = std::max<std::uint64_t>(kWalkedPart, packets / kMostBegins);
    return skipped == 0 ? 1 + seed % step : skipped + step;
  };
  for (std::uint64_t skipped = 0, packets = 1; skipped < packets; skipped = after(skipped, packets)) {
    const DelayedOutcome outcome = run(skipped);
    ASSERT_THAT(outcome.failed_musts(), testing::IsEmpty()) << "seed " << seed << " from packet " << skipped;
    packets = outcome.packets;
    messages += outcome.messages;
  }
}

}  // namespace wirelaw::fuzz
