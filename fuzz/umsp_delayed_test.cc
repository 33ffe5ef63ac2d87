// SPDX-License-Identifier: Apache-2.0
// Honest nodes break no rule, whatever the delays, the number of connections, and the place and beginning of the
// capture.
#include "fuzz/umsp_delayed.h"

#include <walked_part.h>

#include <tuple>

#include "fuzz/long_ways_test.h"

namespace wirelaw::fuzz {
namespace {

using testing::Combine;
using testing::Values;
using testing::ValuesIn;

// Delays of 1 ms to 3 seconds, taps, losses, and connections.
class UmspLongWays : public testing::TestWithParam<std::tuple<std::int64_t, TapPlace, Octet, unsigned>> {};

TEST_P(UmspLongWays, MakeNoHonestNodeBreakARule) {
  const auto [most_ms, tap, loss, connections] = GetParam();
  std::uint64_t messages = 0;
  for (std::uint32_t seed = 0; seed < 20; seed += kWalkedStep) {
    const OctetBuffer steps = AnyOctets(seed).next(24);
    const UmspDelayed conversation({.path = long_way(seed, most_ms, tap, loss),
                                    .connections = connections,
                                    .remote_control = seed % 2 == 1,
                                    .steps = steps});
    for (std::size_t first = 0; first < conversation.frames(); ++first)
      ASSERT_THAT(conversation.failed_musts(first), testing::IsEmpty()) << "seed " << seed << " from frame " << first;
    messages += conversation.instructions();
  }
  EXPECT_GT(messages, 100u / kWalkedPart);
}

INSTANTIATE_TEST_SUITE_P(Of, UmspLongWays,
                         Combine(ValuesIn(kLongWaysMs), ValuesIn(kTaps), Values(Octet{0}, Octet{16}), Values(1u, 3u)));

}  // namespace
}  // namespace wirelaw::fuzz
