// SPDX-License-Identifier: Apache-2.0
// Honest endpoints break no rule, however long the ways, whatever is lost, wherever the capture is taken, and whenever
// it begins.
#include "fuzz/rdmap_delayed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "corpora/formats/rdmap_steps.h"

namespace wirelaw::fuzz {
namespace {

using testing::Combine;
using testing::IsEmpty;
using testing::Values;

constexpr std::int64_t kMillisecond = 1'000'000;

class RdmapLongWays : public testing::TestWithParam<std::tuple<std::int64_t, Tap, Octet>> {};

TEST_P(RdmapLongWays, MakeNoHonestEndpointBreakARule) {
  const auto [most_ms, tap, loss] = GetParam();
  std::uint64_t messages = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::minstd_rand random(seed + 1);
    RdmapDelayed conversation{.path = {.seed = seed,
                                       .least_ns = most_ms * kMillisecond * (seed % 3) / 3,
                                       .most_ns = most_ms * kMillisecond,
                                       .loss = loss,
                                       .tap = tap}};
    OctetBuffer settings(corpora::kRdmapSettings);
    for (Octet& one : settings) one = static_cast<Octet>(random() >> 8);
    OctetBuffer script(16);
    for (Octet& one : script) one = static_cast<Octet>(random() >> 8);
    conversation.settings = settings;
    conversation.script = script;
    for (const std::uint64_t skipped : {0u, 1u, 2u, 3u, 5u, 8u, 13u, 21u, 34u, 55u}) {
      conversation.skipped = skipped;
      const DelayedOutcome outcome = run_rdmap_delayed(conversation);
      ASSERT_THAT(outcome.failed_musts(), IsEmpty()) << "seed " << seed << ", " << skipped << " packets skipped";
      messages += outcome.messages;
    }
  }
  EXPECT_GT(messages, 4000u);
}

INSTANTIATE_TEST_SUITE_P(Of, RdmapLongWays,
                         Combine(Values(1, 100, 1300, 3000), Values(Tap::at_a, Tap::between, Tap::at_b),
                                 Values(Octet{0}, Octet{12})));

}  // namespace
}  // namespace wirelaw::fuzz
