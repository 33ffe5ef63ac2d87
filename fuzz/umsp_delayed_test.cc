// SPDX-License-Identifier: Apache-2.0
// Honest nodes break no rule, however long the ways, however many connections, and wherever and whenever the capture
// begins.
#include "fuzz/umsp_delayed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

namespace wirelaw::fuzz {
namespace {

using testing::Combine;
using testing::IsEmpty;
using testing::Values;

constexpr std::int64_t kMillisecond = 1'000'000;

// Ways of 0.1 to 3 seconds, taps, losses, and connections.
class UmspLongWays : public testing::TestWithParam<std::tuple<std::int64_t, Tap, Octet, unsigned>> {};

TEST_P(UmspLongWays, MakeNoHonestNodeBreakARule) {
  const auto [most_ms, tap, loss, connections] = GetParam();
  std::uint64_t instructions = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::minstd_rand random(seed + 1);
    OctetBuffer script(24);
    for (Octet& one : script) one = static_cast<Octet>(random() >> 8);
    const UmspDelayed conversation({.path = {.seed = seed,
                                             .least_ns = most_ms * kMillisecond * (seed % 3) / 3,
                                             .most_ns = most_ms * kMillisecond,
                                             .loss = loss,
                                             .tap = tap},
                                    .connections = connections,
                                    .remote_control = seed % 2 == 1,
                                    .script = script});
    for (std::size_t first = 0; first < conversation.frames(); ++first)
      ASSERT_THAT(conversation.failed_musts(first), IsEmpty()) << "seed " << seed << " from frame " << first;
    instructions += conversation.instructions();
  }
  EXPECT_GT(instructions, 100u);
}

INSTANTIATE_TEST_SUITE_P(Of, UmspLongWays,
                         Combine(Values(1, 100, 1300, 3000), Values(Tap::at_a, Tap::between, Tap::at_b),
                                 Values(Octet{0}, Octet{16}), Values(1u, 3u)));

}  // namespace
}  // namespace wirelaw::fuzz
