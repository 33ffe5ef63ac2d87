// SPDX-License-Identifier: Apache-2.0
// Honest endpoints break no rule, whatever the delays, the losses, and the place and beginning of the capture.
#include "fuzz/rdmap_delayed.h"

#include <tuple>

#include "corpora/formats/rdmap_steps.h"
#include "fuzz/long_ways_test.h"

namespace wirelaw::fuzz {
namespace {

using testing::Combine;
using testing::Values;
using testing::ValuesIn;

class RdmapLongWays : public testing::TestWithParam<std::tuple<std::int64_t, TapPlace, Octet>> {};

TEST_P(RdmapLongWays, MakeNoHonestEndpointBreakARule) {
  const auto [most_ms, tap, loss] = GetParam();
  std::uint64_t messages = 0;
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    AnyOctets any(seed);
    const OctetBuffer settings = any.next(corpora::kRdmapSettings), steps = any.next(16);
    RdmapDelayed conversation{.path = long_way(seed, most_ms, tap, loss), .settings = settings, .steps = steps};
    expect_no_failed_must(seed, messages, [&](std::uint64_t skipped) {
      conversation.skipped = skipped;
      return run_rdmap_delayed(conversation);
    });
  }
  EXPECT_GT(messages, 300u);
}

INSTANTIATE_TEST_SUITE_P(Of, RdmapLongWays,
                         Combine(ValuesIn(kLongWaysMs), ValuesIn(kTaps), Values(Octet{0}, Octet{12})));

}  // namespace
}  // namespace wirelaw::fuzz
