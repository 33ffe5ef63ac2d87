// SPDX-License-Identifier: Apache-2.0
// The cases between two consumers, against two reference endpoints as devices in memory; one of them is the IUT. The
// honest one passes each case, and a deviation breaks each rule that the cases judge.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "harness/cases/iwarp_runs.h"
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
        EXPECT_THAT(one.reason, HasSubstr("the device does not support"));
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

class EachBreachOfPairs : public testing::TestWithParam<BreachRow> {};
INSTANTIATE_TEST_SUITE_P(Of, EachBreachOfPairs, testing::ValuesIn(driven_rows("pair")),
                         [](const auto& row) { return test_name_of(row.param); });

TEST_P(EachBreachOfPairs, IsReported) {
  expect_reported(GetParam());
}

// Judged if the receiver is not ready, which iWARP does not allow: no device in memory shows it.
constexpr std::string_view kOnOthersAlone = "DDP-7.1-2";

TEST(PairCases, JudgeNothingThatNoBreachShows) {
  std::set<std::string_view> judged, broken{kOnOthersAlone};
  for (const Case& one : kProtocol.cases())
    if (matches_glob(kCases, one.id))
      for (const Rule* rule : one.rules) judged.insert(rule->id);
  for (const BreachRow& row : driven_rows("pair")) broken.insert(row.rule().id);
  EXPECT_EQ(judged, broken);
}

TEST(PairCases, EachFailForABreachOfTheirRules) {
  expect_each_case_to_fail("pair");
}

}  // namespace
}  // namespace wirelaw::rdmap
