// SPDX-License-Identifier: Apache-2.0
// The cases between two consumers, against two reference endpoints as devices in memory, of which one is the IUT: the
// honest one passes each, and each rule that they judge is told by a deliberate fault.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "harness/cases/driven_run.h"
#include "harness/peers/rdmap_peer.h"

namespace wirelaw::rdmap {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kCases = "pair/*";
const Selection kAll{.cases = {std::string(kCases)}};

TEST(PairCases, AreAllPassedByADeviceThatIsHonest) {
  for (const auto role : kRoles) {
    const RunOutcome outcome = run_driven(role, {.pair = true}, kAll);
    EXPECT_THAT(complaints(outcome), IsEmpty());
    EXPECT_FALSE(outcome.lost);
  }
}

TEST(PairCases, ArePassedByADeviceThatReportsNoStateOfItsQueuePairs) {
  for (const auto role : kRoles)
    EXPECT_THAT(
        complaints(run_driven(role, {.pair = true, .settings = {"verbs", std::string(kStatelessSetting)}}, kAll)),
        IsEmpty());
}

TEST(PairCases, AreSkippedWhereTheDeviceLacksWhatTheyAreAbout) {
  for (const auto role : kRoles)
    for (const CaseResult& one : run_driven(role, {.extensions = false, .pair = true}, kAll).results.cases) {
      EXPECT_THAT(one.verdict, AnyOf(Verdict::pass, Verdict::skipped)) << one.id << ": " << one.reason;
      if (one.verdict == Verdict::skipped) {
        EXPECT_THAT(one.reason, HasSubstr("the device has no"));
      }
    }
}

TEST(PairCases, AreSkippedWhereTheTesterSpeaksTheWire) {
  for (const auto role : kRoles)
    for (const CaseResult& one : run_driven(role, {}, kAll).results.cases) {
      EXPECT_EQ(one.verdict, Verdict::skipped) << one.id;
      EXPECT_THAT(one.reason, HasSubstr("needs two consumers")) << one.id;
    }
}

TEST(PairCases, AreTheOnlyOnesThatRunBetweenTwoConsumers) {
  for (const auto role : kRoles) {
    const RunOutcome outcome = run_driven(role, {.pair = true}, {});
    EXPECT_THAT(outcome.results.findings, IsEmpty());
    for (const CaseResult& one : outcome.results.cases) {
      if (matches_glob(kCases, one.id)) continue;
      EXPECT_EQ(one.verdict, Verdict::skipped) << one.id << ": " << one.reason;
    }
  }
}

constexpr Told kTold[] = {
    {"RDMAP-4.1-3", "invalidate-stag-lost"},
    {"RDMAP-4.1-40", "receive-length-wrong"},
    {"RDMAP-4.4-6", "response-data-wrong"},
    {"RDMAP-5.2.1-10", "response-missing"},
    {"RDMAP-5.2.2-2", "ird-off-by-one"},
    {"RDMAP-5.2.2-3", "read-data-lost"},
    {"RDMAP-5.3-7", "work-reordered"},
    {"RDMAP-5.3-9", "invalidate-stag-lost"},
    {"RDMAP-5.3-11", "invalidation-ignored"},
    {"RDMAP-5.4-6", "error-not-surfaced"},
    {"RDMAP-5.4-8", "work-not-flushed"},
    {"RDMAP-5.4-8", "work-flushed-as-success"},
    {"RDMAP-5.5-11", "read-completion-lost"},
    {"RDMAP-5.5-13", "work-reordered"},
    {"RDMAP-5.5-15", "completions-reordered"},
    {"RDMAP-5.5-19", "reads-complete-early"},
    {"RDMAP-5.5-21", "fence-ignored"},
    {"RDMAP-6.1-5", "ord-off-by-one"},
    {"RDMAP-6.2.1-3", "work-not-flushed"},
    {"RDMAP-7.1-1", "error-not-surfaced"},
    {"RDMAP-7.1-1", "local-fault-ignored"},
    {"RDMAP-7.2-11", "accepts-bounds"},
    {"RDMAP-8.1.1-1", "protection-domains-ignored"},
    {"RDMAP-8.1.1-4", "deregistered-stays"},
    {"RDMAP-8.1.1-5", "accepts-access"},
    {"RDMAP-8.1.1-6", "deregistered-stays"},
    {"RDMASEC-6.1.1-1", "protection-domains-ignored"},
    {"RDMAPX-5.1.1-5", "atomic-not-applied"},
    {"RDMAPX-5.1.1-7", "atomic-value-wrong"},
    {"RDMAPX-5.1.2-2", "atomic-not-applied"},
    {"RDMAPX-5.1.2-3", "atomic-not-applied"},
    {"RDMAPX-5.1.2-4", "atomic-value-wrong"},
    {"RDMAPX-5.2.1-13", "atomic-consumes-receive"},
    {"RDMAPX-5.2.1-16", "work-reordered"},
    {"RDMAPX-5.2.2-8", "atomic-result-lost"},
    {"RDMAPX-6.1-1", "immediate-value-wrong"},
    {"RDMAPX-6.3-3", "receives-reordered"},
    {"RDMAPX-6.3-6", "work-reordered"},
    {"RDMAPX-6.4-1", "completions-reordered"},
    {"RDMAPX-7-1", "receives-reordered"},
    {"RDMAPX-7-4", "receives-reordered"},
    {"RDMAPX-7-5", "delivers-before-placing"},
    {"DDP-3-9", "disconnect-not-told"},
    {"DDP-4.1-1", "writes-not-placed"},
    {"DDP-4.2-6", "to-wrong"},
    {"DDP-4.3-3", "invalidated-rkey-wrong"},
    {"DDP-5.2-4", "write-cut"},
    {"DDP-5.2-5", "pad-delivered"},
    {"DDP-5.2-8", "to-wrong"},
    {"DDP-5.3-4", "receives-reordered"},
    {"DDP-5.4-1", "writes-not-placed"},
    {"DDP-6.2.1-2", "posts-after-disconnect"},
    {"DDP-6.2.2-4", "work-not-flushed"},
    {"DDP-7.1-4", "accepts-too-long"},
    {"DDP-7.1-8", "accepts-bounds"},
    {"DDP-7.1-9", "places-what-fits"},
    {"DDP-7.1-11", "places-what-fits"},
    {"DDP-8.2-1", "protection-domains-ignored"},
    {"DDP-8.3-1", "deregistered-stays"},
    {"DDP-8.3-2", "deregistered-stays"},
    {"DDP-8.3.1-1", "protection-domains-ignored"},
    {"DDP-8.3.1-4", "deregistered-stays"},
    {"DDP-8.3.1-5", "accepts-access"},
    {"DDP-8.3.1-6", "deregistered-stays"},
    {"MPA-7.1-2", "queue-pair-not-bound"},
    {"MPA-7.1.1-17", "private-data-not-passed"},
};

class EachRuleOfPairs : public testing::TestWithParam<Told> {};
INSTANTIATE_TEST_SUITE_P(OfPairs, EachRuleOfPairs, testing::ValuesIn(kTold),
                         [](const auto& told) { return name_of(told.param); });

TEST_P(EachRuleOfPairs, TellsItsFault) {
  expect_told(GetParam(), kCases, /*pair=*/true);
}

// Judged where the receiver is not ready, which is not iWARP's way: no device in memory has it.
constexpr std::string_view kOnOthersAlone = "DDP-7.1-2";

TEST(PairCases, JudgeNothingThatNoFaultShows) {
  std::set<std::string_view> judged, told{kOnOthersAlone};
  for (const Case& one : kProtocol.cases())
    if (matches_glob(kCases, one.id))
      for (const Rule* rule : one.rules) judged.insert(rule->id);
  for (const Told& one : kTold) told.insert(one.rule);
  EXPECT_EQ(judged, told);
}

TEST(PairCases, AreEachToldOfByAFault) {
  expect_each_told_of(kCases, /*pair=*/true, kTold);
}

}  // namespace
}  // namespace wirelaw::rdmap
