// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/judge.h"
#include "conformance/section.h"

namespace wirelaw {
namespace {

using testing::ElementsAre;

constexpr Rule kOne{"TEST-1-1", Level::must, Role::any, "TEST 1", Observable::trace, Evidence::octets, "The one."};
constexpr Rule kOther{"TEST-1-2", Level::must, Role::any, "TEST 1", Observable::trace, Evidence::octets, "The other."};

// Shares of rules that have their slots.
const Catalogue& catalogue() {
  static const std::array<const Rule*, 2> kRules{&kOne, &kOther};
  static const Catalogue kCatalogue{RuleList(kRules)};
  return kCatalogue;
}

Share share() {
  Share share;
  for (const Rule* rule : catalogue().rules()) share.rules.push_back({.rule = rule});
  return share;
}

void find(Share& share, const Rule& rule, std::uint64_t step, std::uint64_t flow, std::string actual,
          FindingKind kind = FindingKind::failure) {
  share.findings.push_back({.rule = &rule, .actual = std::move(actual)});
  share.found.push_back({.place = {.input = 0, .step = step}, .flow = flow, .kind = kind});
  ++share.rules[rule.slot == kOne.slot ? 0 : 1].failed;
}

std::vector<std::string> actual_of(const Share& share) {
  std::vector<std::string> all;
  for (const Finding& one : share.findings) all.push_back(one.actual);
  return all;
}

TEST(Join, FindingsComeInTheOrderOfTheRun) {
  Share a = share(), b = share();
  find(a, kOne, 1, 1, "first");
  find(b, kOne, 2, 1, "second");
  find(b, kOther, 2, 1, "third");
  find(a, kOne, 7, 1, "fourth");
  const auto joined = join({a, b}, {});
  ASSERT_TRUE(joined);
  EXPECT_THAT(actual_of(*joined), ElementsAre("first", "second", "third", "fourth"));
  EXPECT_EQ(joined->rules[0].failed, 3u);
  EXPECT_EQ(joined->rules[1].failed, 1u);
}

TEST(Join, AnInputGoesBeforeTheNextWhateverTheStep) {
  Share a = share(), b = share();
  find(a, kOne, 1, 1, "of the second file");
  a.found.back().place.input = 1;
  find(b, kOne, 900, 1, "of the first file");
  EXPECT_THAT(actual_of(*join({a, b}, {})), ElementsAre("of the first file", "of the second file"));
}

// The first finding of its kind in a share need not be the first of all.
TEST(Join, KeepsWhatOneJudgeWouldHaveKept) {
  const JoinLimits limits{.judge = {.findings_per_rule_and_flow = 3, .findings = 2}};
  Share a = share(), b = share();
  find(a, kOne, 1, 1, "1");
  find(b, kOne, 2, 1, "2");
  find(b, kOne, 3, 1, "3");
  find(a, kOther, 4, 1, "the first of its rule");
  find(b, kOther, 5, 1, "the second of its rule");
  find(b, kOther, 6, 1, "the first that is pending", FindingKind::pending);
  b.findings_dropped = 4;
  const auto joined = join({a, b}, limits);
  EXPECT_THAT(actual_of(*joined), ElementsAre("1", "2", "the first of its rule", "the first that is pending"));
  EXPECT_EQ(joined->findings_dropped, 6u);
}

TEST(Join, FlowsOfTwoSharesAreTwoWhateverTheirNumbers) {
  Share a = share(), b = share();
  for (std::uint64_t step = 0; step < 6; ++step) find(step % 2 == 0 ? a : b, kOne, step, 1, "of three each");
  EXPECT_EQ(join({a, b}, {})->findings.size(), 6u);
}

TEST(Join, TheReasonIsThatOfTheFirstInTheRun) {
  Share a = share(), b = share();
  a.rules[1].inconclusive = b.rules[1].inconclusive = 1;
  a.reasons.push_back({&kOther, "later", {.input = 0, .step = 9}});
  b.reasons.push_back({&kOther, "earlier", {.input = 0, .step = 4}});
  const Results results = results_of(*join({a, b}, {}));
  EXPECT_EQ(results.rules[1].reason, "earlier");
  EXPECT_EQ(results.rules[1].verdict, Verdict::inconclusive);
  EXPECT_EQ(results.rules[1].inconclusive, 2u);
  EXPECT_EQ(results.rules[0].verdict, Verdict::not_exercised);
}

TEST(Join, FlowsAreListedWithinTheBoundOfOne) {
  Share a = share(), b = share();
  for (std::uint64_t step = 0; step < 4; ++step) {
    Share& of = step % 2 == 0 ? a : b;
    of.flows.push_back({.id = std::to_string(step), .protocol = step == 3 ? "umsp" : "", .messages = 1});
    of.flow_ends.push_back({.input = 0, .step = step});
  }
  const auto joined = join({a, b}, {.listed_flows = 4});
  ASSERT_EQ(joined->flows.size(), 3u);  // findings without a verdict take half
  EXPECT_EQ(joined->flows[2].id, "3");
  EXPECT_EQ(joined->flows_dropped, 1u);
  EXPECT_EQ(joined->flows_dropped_as[static_cast<std::size_t>(FlowState::unrecognised)], 1u);
}

TEST(Join, RefusesSharesThatHaveReadSomethingElse) {
  Share a = share(), b = share();
  a.inputs.push_back({.place = 0, .input = {.name = "a.pcap", .frames = 7}});
  b.inputs.push_back({.place = 0, .input = {.name = "a.pcap", .frames = 8}});
  const auto joined = join({a, b}, {});
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.error(), "they have not read the same of a.pcap");
}

TEST(Join, WhatPassedOfALivePeerAddsUp) {
  Share a = share(), b = share();
  a.inputs.push_back({.input = {.name = "memory:", .frames = 7, .octets = 70}, .is_live = true});
  b.inputs.push_back({.input = {.name = "memory:", .frames = 8, .octets = 80}, .is_live = true});
  const auto joined = join({a, b}, {});
  ASSERT_TRUE(joined);
  ASSERT_EQ(joined->inputs.size(), 1u);
  EXPECT_EQ(joined->inputs[0].input.frames, 15u);
  EXPECT_EQ(joined->inputs[0].input.octets, 150u);
}

TEST(Join, KnowsWhereOneProcessWouldHaveGivenUpFlows) {
  const RoomOfOne room{.octets = 100, .associations = 10};
  EXPECT_TRUE(fits({.shares = 1, .octets = 1000}, room));  // one has had no more room than one has
  EXPECT_TRUE(fits({.shares = 2, .octets = 100}, room));
  EXPECT_FALSE(fits({.shares = 2, .octets = 101}, room));
  EXPECT_FALSE(fits({.shares = 2, .octets = 1, .associations = 10}, room));
}

}  // namespace
}  // namespace wirelaw
