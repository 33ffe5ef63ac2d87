// SPDX-License-Identifier: Apache-2.0
#include "harness/recorded_places.h"

#include <gtest/gtest.h>

#include <set>

namespace wirelaw {
namespace {

constexpr std::uint64_t kPorts = 65'536;
const FlowPlaces kFlow{.tester = "192.0.2.1:31201", .iut = "[2001:db8::2]:7000"};

TEST(RecordedPlaces, AreThoseOfTheFlow) {
  RecordedPlaces places;
  EXPECT_EQ(places.place(kFlow, false, kPorts).tester, kFlow.tester);
  const FlowPlaces another = places.place({.tester = "192.0.2.1:31202", .iut = kFlow.iut}, false, kPorts);
  EXPECT_EQ(another.tester, "192.0.2.1:31202");
  EXPECT_EQ(another.iut, kFlow.iut);
}

TEST(RecordedPlaces, OfAFlowBetweenTheSameTwoAsAnEarlierOneHaveAPortThatNoFlowHasHad) {
  RecordedPlaces places;
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const FlowPlaces shown = places.place(kFlow, false, kPorts);
    EXPECT_EQ(shown.iut, kFlow.iut);
    EXPECT_TRUE(shown.tester.starts_with("192.0.2.1:")) << shown.tester;
    EXPECT_TRUE(seen.insert(shown.tester).second) << shown.tester;
  }
  EXPECT_EQ(places.place({.tester = "192.0.2.1:65535", .iut = kFlow.iut}, false, kPorts).tester, "192.0.2.1:65436");
}

TEST(RecordedPlaces, AnIutThatConnectsHasTheOtherPort) {
  RecordedPlaces places;
  places.place(kFlow, true, kPorts);
  const FlowPlaces shown = places.place(kFlow, true, kPorts);
  EXPECT_EQ(shown.tester, kFlow.tester);
  EXPECT_EQ(shown.iut, "[2001:db8::2]:65535");
}

TEST(RecordedPlaces, QueuePairsHaveMoreNumbersThanPorts) {
  RecordedPlaces places;
  places.place(kFlow, false, 1u << 24);
  EXPECT_EQ(places.place(kFlow, false, 1u << 24).tester, "192.0.2.1:16777215");
}

TEST(RecordedPlaces, NamesThatAreNoAddressesAreLeft) {
  RecordedPlaces places;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(places.place({"tester", "peer"}, false, kPorts).tester, "tester");
}

}  // namespace
}  // namespace wirelaw
