// SPDX-License-Identifier: Apache-2.0
// Honest endpoints break no rule, however long the way, wherever the capture is taken, and whenever it begins.
#include "fuzz/smbd_delayed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "corpora/formats/smbd_steps.h"

namespace wirelaw::fuzz {
namespace {

using testing::Combine;
using testing::IsEmpty;
using testing::Values;

constexpr std::int64_t kMillisecond = 1'000'000;

// Ways of 0.1 to 3 seconds, taps, losses, and what is below.
class LongWays : public testing::TestWithParam<std::tuple<std::int64_t, Tap, Octet, bool>> {};

TEST_P(LongWays, MakeNoHonestEndpointBreakARule) {
  const auto [most_ms, tap, loss, over_roce] = GetParam();
  std::uint64_t messages = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::minstd_rand random(seed + 1);
    OctetBuffer settings(corpora::kSmbdSettings), script(40);
    for (Octet& one : settings) one = static_cast<Octet>(random());
    for (Octet& one : script) one = static_cast<Octet>(random() >> 8);
    const DelayedOutcome outcome = run_smbd_delayed({.path = {.seed = seed,
                                                              .least_ns = most_ms * kMillisecond * (seed % 3) / 3,
                                                              .most_ns = most_ms * kMillisecond,
                                                              .loss = loss,
                                                              .tap = tap},
                                                     .skipped = seed % 4 == 3 ? seed / 4 : 0,
                                                     .over_roce = over_roce,
                                                     .settings = settings,
                                                     .script = script});
    ASSERT_THAT(outcome.failed_musts(), IsEmpty()) << "seed " << seed;
    messages += outcome.messages;
  }
  EXPECT_GT(messages, 400u);
}

INSTANTIATE_TEST_SUITE_P(Of, LongWays,
                         Combine(Values(1, 100, 1300, 3000), Values(Tap::at_a, Tap::between, Tap::at_b),
                                 Values(Octet{0}, Octet{16}), Values(false, true)));

}  // namespace
}  // namespace wirelaw::fuzz
