// SPDX-License-Identifier: Apache-2.0
// Honest endpoints break no rule, whatever the delays and the place and beginning of the capture.
#include "fuzz/efa_delayed.h"

#include <tuple>

#include "fuzz/long_ways_test.h"

namespace wirelaw::fuzz {
namespace {

using testing::Combine;
using testing::Values;
using testing::ValuesIn;

class EfaLongWays : public testing::TestWithParam<std::tuple<std::int64_t, TapPlace>> {};

TEST_P(EfaLongWays, MakeNoHonestEndpointBreakARule) {
  const auto [most_ms, tap] = GetParam();
  std::uint64_t messages = 0;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    AnyOctets any(seed);
    EfaDelayed conversation{.path = long_way(seed, most_ms, tap)};
    any.fill(conversation.settings);
    const OctetBuffer steps = any.next(24);
    conversation.steps = steps;
    expect_no_failed_must(seed, messages, [&](std::uint64_t skipped) {
      conversation.skipped = skipped;
      return run_efa_delayed(conversation);
    });
  }
  EXPECT_GT(messages, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Of, EfaLongWays, Combine(ValuesIn(kLongWaysMs), ValuesIn(kTaps)));

}  // namespace
}  // namespace wirelaw::fuzz
