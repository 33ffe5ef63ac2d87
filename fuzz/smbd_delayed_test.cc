// SPDX-License-Identifier: Apache-2.0
// Honest endpoints break no rule, whatever the delays and the place and beginning of the capture.
#include "fuzz/smbd_delayed.h"

#include <tuple>

#include "corpora/formats/smbd_steps.h"
#include "fuzz/long_ways_test.h"

namespace wirelaw::fuzz {
namespace {

using testing::Combine;
using testing::Values;
using testing::ValuesIn;

// Delays of 1 ms to 3 seconds, taps, losses, and transports.
class LongWays : public testing::TestWithParam<std::tuple<std::int64_t, TapPlace, Octet, bool>> {};

TEST_P(LongWays, MakeNoHonestEndpointBreakARule) {
  const auto [most_ms, tap, loss, over_roce] = GetParam();
  std::uint64_t messages = 0;
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    AnyOctets any(seed);
    const OctetBuffer settings = any.next(corpora::kSmbdSettings), steps = any.next(40);
    DelayedConversation conversation{
        .path = long_way(seed, most_ms, tap, loss), .over_roce = over_roce, .settings = settings, .steps = steps};
    expect_no_failed_must(seed, messages, [&](std::uint64_t skipped) {
      conversation.skipped = skipped;
      return run_smbd_delayed(conversation);
    });
  }
  EXPECT_GT(messages, 400u);
}

INSTANTIATE_TEST_SUITE_P(Of, LongWays,
                         Combine(ValuesIn(kLongWaysMs), ValuesIn(kTaps), Values(Octet{0}, Octet{16}), testing::Bool()));

}  // namespace
}  // namespace wirelaw::fuzz
