// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/network_plan.h"

#include <gmock/gmock.h>

#include <set>

namespace wirelaw {
namespace {

using testing::HasSubstr;

TEST(NetworkPlan, WithoutAWordChangesNothing) {
  for (const Carried carried : {Carried::datagrams, Carried::reliable_datagrams, Carried::stream}) {
    const auto plan = parse_network_plan("", carried);
    ASSERT_TRUE(plan);
    EXPECT_FALSE(plan->cuts());
    EXPECT_FALSE(plan->delays());
    EXPECT_EQ(plan->network_faults.loss + plan->network_faults.duplication + plan->network_faults.reordering, 0);
    EXPECT_FALSE(plan->close_after || plan->reset_after);
  }
}

TEST(NetworkPlan, OfDatagramsHasTheParametersOfTheNetworkInMemory) {
  const auto plan = parse_network_plan("loss=0.02,duplication=0.5,reordering=1,delay=1-20", Carried::datagrams);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->network_faults.loss, 0.02);
  EXPECT_EQ(plan->network_faults.duplication, 0.5);
  EXPECT_EQ(plan->network_faults.reordering, 1);
  EXPECT_EQ(plan->network_faults.delay_min, std::chrono::milliseconds(1));
  EXPECT_EQ(plan->network_faults.delay_max, std::chrono::milliseconds(20));
}

TEST(NetworkPlan, OfAStreamCutsAndEnds) {
  const auto plan = parse_network_plan("cut=7,delay=3,reset=1000", Carried::stream);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->cuts());
  EXPECT_EQ(plan->network_faults.cut, 7u);
  EXPECT_EQ(plan->reset_after, 1000u);
  EXPECT_FALSE(plan->close_after);
}

TEST(NetworkPlan, RefusesWhatTheTransportDoesNotAllow) {
  const auto refusal = [](std::string_view text, Carried carried) {
    const auto plan = parse_network_plan(text, carried);
    return plan ? std::string() : plan.error();
  };
  for (const char* const text : {"loss=0.1", "duplication=0.1"})
    EXPECT_THAT(refusal(text, Carried::reliable_datagrams), HasSubstr("SRD, which is reliable; possible: reordering"));
  for (const char* const text : {"loss=0.1", "duplication=0.1", "reordering=0.1"})
    EXPECT_THAT(refusal(text, Carried::stream), HasSubstr("possible: delay, cut, close, reset"));
  for (const char* const text : {"cut=3", "close=3", "reset=3"})
    EXPECT_THAT(refusal(text, Carried::datagrams), HasSubstr("travels over UDP"));
  EXPECT_THAT(refusal("close=3,reset=3", Carried::stream), HasSubstr("ends in one way"));
}

TEST(NetworkPlan, RefusesWhatItDoesNotUnderstand) {
  for (const char* const text : {"loss=2", "loss=", "loss", "loss=0.1x", "delay=5-3", "delay=-1"}) {
    const auto plan = parse_network_plan(text, Carried::datagrams);
    ASSERT_FALSE(plan) << text;
    EXPECT_THAT(plan.error(), HasSubstr("is not understood")) << text;
  }
  for (const char* const text : {"cut=0", "close=0", "reset=x"})
    EXPECT_FALSE(parse_network_plan(text, Carried::stream)) << text;
  EXPECT_THAT(parse_network_plan("drop=1", Carried::datagrams).error(), HasSubstr("'drop' is no fault of a network"));
}

TEST(NetworkPlan, GivesEachDirectionOfEachConnectionASeedOfItsOwn) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (std::uint64_t number = 1; number <= 100; ++number)
      for (const bool from_initiator : {false, true}) seeds.insert(seed_of(seed, number, from_initiator));
  EXPECT_EQ(seeds.size(), 2000u);
}

}  // namespace
}  // namespace wirelaw
