// SPDX-License-Identifier: Apache-2.0
// Honest endpoints break no rule, whatever the delays, the losses, and the place and beginning of the capture.
#include "fuzz/ramcloud_delayed.h"

#include <walked_part.h>

#include <tuple>

#include "fuzz/long_ways_test.h"

namespace wirelaw::fuzz {
namespace {

using testing::Combine;
using testing::Values;
using testing::ValuesIn;

class RamcloudLongWays : public testing::TestWithParam<std::tuple<std::int64_t, TapPlace, Octet>> {};

TEST_P(RamcloudLongWays, MakeNoHonestEndpointBreakARule) {
  const auto [most_ms, tap, loss] = GetParam();
  std::uint64_t messages = 0;
  for (std::uint32_t seed = 0; seed < 6; seed += kWalkedStep) {
    AnyOctets any(seed);
    RamcloudDelayed conversation{.path = long_way(seed, most_ms, tap, loss)};
    any.fill(conversation.settings);
    const OctetBuffer steps = any.next(16);
    conversation.steps = steps;
    expect_no_failed_must(seed, messages, [&](std::uint64_t skipped) {
      conversation.skipped = skipped;
      return run_ramcloud_delayed(conversation);
    });
  }
  EXPECT_GT(messages, 400u / kWalkedPart);
}

INSTANTIATE_TEST_SUITE_P(Of, RamcloudLongWays,
                         Combine(ValuesIn(kLongWaysMs), ValuesIn(kTaps), Values(Octet{0}, Octet{12})));

}  // namespace
}  // namespace wirelaw::fuzz
