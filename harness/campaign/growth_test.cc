// SPDX-License-Identifier: Apache-2.0
// Growth is an increase that continues, not what a process needs until it is warmed up.
#include "harness/campaign/growth.h"

#include <gmock/gmock.h>

#include <functional>

namespace wirelaw::campaign {
namespace {

std::optional<Growth> watched(const std::function<std::uint64_t(std::uint64_t)>& used, std::uint64_t inputs = 1600) {
  GrowthWatch watch(1600, 1000);
  std::optional<Growth> growth;
  for (std::uint64_t served = 1; served <= inputs; ++served) {
    watch.sample(served, used(served));
    if (auto found = watch.take()) growth = found;
  }
  return growth;
}

TEST(Growth, ThatGoesOnIsToldWithItsFigures) {
  const auto growth = watched([](std::uint64_t served) { return 5000 + 10 * served; });
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->inputs, 700u);
  EXPECT_EQ(growth->last - growth->first, 7000u);
  EXPECT_DOUBLE_EQ(growth->each(), 10);
  EXPECT_EQ(to_text(*growth, "octets of memory"), "from " + std::to_string(growth->first) + " to " +
                                                      std::to_string(growth->last) +
                                                      " octets of memory over 700 inputs, 10.0 each");
}

TEST(Growth, BetweenPeaksIsSeen) {
  EXPECT_TRUE(watched([](std::uint64_t served) { return 5000 + 10 * served + (served % 7 == 0 ? 90'000u : 0u); }));
}

TEST(Growth, ThatEndsIsNone) {
  EXPECT_FALSE(watched([](std::uint64_t) { return 5000u; }));
  EXPECT_FALSE(watched([](std::uint64_t served) { return 5000 + 10 * std::min<std::uint64_t>(served, 900); }));
  EXPECT_FALSE(watched([](std::uint64_t served) { return 5000 + 100 * (served % 400); })) << "it is freed";
  EXPECT_FALSE(watched([](std::uint64_t served) { return 5000 + served; })) << "less than what counts";
  EXPECT_FALSE(watched([](std::uint64_t served) { return 5000 + 10 * served; }, 1000)) << "too early to say";
}

TEST(Growth, IsOfOneProcess) {
  EXPECT_FALSE(watched([](std::uint64_t served) { return 5000 + 10 * served; }, 0));
  GrowthWatch watch(1600, 1000);
  for (std::uint64_t all = 0; all < 6400; ++all) {
    watch.sample(all % 800 + 1, 5000 + 10 * all);  // another each 800 inputs
    EXPECT_FALSE(watch.take());
  }
}

}  // namespace
}  // namespace wirelaw::campaign
