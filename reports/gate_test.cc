// SPDX-License-Identifier: Apache-2.0
#include "reports/gate.h"

#include <gmock/gmock.h>

#include "reports/json.h"
#include "reports/sample_results_test.h"

namespace wirelaw {
namespace {

using ::testing::HasSubstr;

Results failing(const Rule& rule) {
  Results results;
  results.rules = {{.rule = &rule, .verdict = Verdict::fail, .exercised = 1, .failed = 1, .reason = {}}};
  return results;
}

TEST(Gate, AFailedMustFailsTheRun) {
  EXPECT_EQ(gate_of(failing(kBroken), FailOn::must, RunEnd::complete, nullptr).status, ExitStatus::failed);
}

TEST(Gate, AFailedShouldFailsTheRunWhereItIsAskedTo) {
  const Gate lenient = gate_of(failing(kAdvised), FailOn::must, RunEnd::complete, nullptr);
  EXPECT_EQ(lenient.status, ExitStatus::passed);
  EXPECT_EQ(lenient.tolerated.size(), 1u);
  EXPECT_EQ(gate_of(failing(kAdvised), FailOn::should, RunEnd::complete, nullptr).status, ExitStatus::failed);
}

TEST(Gate, AFailureOutweighsAnUnreadableInputAndALostPeerOutweighsAFailure) {
  EXPECT_EQ(gate_of({}, FailOn::must, RunEnd::input_unreadable, nullptr).status, ExitStatus::misused);
  EXPECT_EQ(gate_of(failing(kBroken), FailOn::must, RunEnd::input_unreadable, nullptr).status, ExitStatus::failed);
  EXPECT_EQ(gate_of(failing(kBroken), FailOn::must, RunEnd::peer_lost, nullptr).status, ExitStatus::peer_lost);
}

TEST(Gate, ARunInWhichNothingWasConcludedDidNotPass) {
  Results results;
  results.rules = {{.rule = &kBroken, .verdict = Verdict::not_exercised, .reason = {}}};
  EXPECT_FALSE(anything_concluded(results));
  results.rules[0].verdict = Verdict::inconclusive;
  EXPECT_FALSE(anything_concluded(results));
  results.rules[0].verdict = Verdict::warned;
  EXPECT_TRUE(anything_concluded(results));
  // What a control has shown of rules is no test where none of the cases comes to anything.
  results.cases.resize(1);
  results.cases[0].verdict = Verdict::inconclusive;
  EXPECT_FALSE(anything_concluded(results));
  results.rules[0].verdict = Verdict::pass;
  EXPECT_FALSE(anything_concluded(results));
  results.rules[0].verdict = Verdict::fail;
  EXPECT_TRUE(anything_concluded(results));
  results.rules[0].verdict = Verdict::pass;
  results.cases[0].verdict = Verdict::pass;
  EXPECT_TRUE(anything_concluded(results));
  EXPECT_EQ(gate_of({}, FailOn::must, RunEnd::nothing_concluded, nullptr).status, ExitStatus::misused);
  EXPECT_EQ(gate_of(failing(kBroken), FailOn::must, RunEnd::nothing_concluded, nullptr).status, ExitStatus::failed);
}

TEST(Gate, WhatTheTesterLacksOutweighsALostPeerAndAFailure) {
  EXPECT_EQ(gate_of({}, FailOn::must, RunEnd::tester_lacks, nullptr).status, ExitStatus::misused);
  EXPECT_EQ(gate_of(failing(kBroken), FailOn::must, RunEnd::tester_lacks, nullptr).status, ExitStatus::misused);
}

TEST(Gate, ACaseIsAsSevereAsItsRulesThatFailed) {
  Results results = failing(kAdvised);
  results.cases = {{.id = "a/b",
                    .protocol = "test",
                    .purpose = {},
                    .rules = {&kBroken, &kAdvised},
                    .verdict = Verdict::fail,
                    .reason = {}}};
  EXPECT_EQ(gate_of(results, FailOn::must, RunEnd::complete, nullptr).status, ExitStatus::passed);
  results.rules.clear();  // nothing says how bad it is
  EXPECT_EQ(gate_of(results, FailOn::must, RunEnd::complete, nullptr).status, ExitStatus::failed);
}

TEST(Gate, WhatTheBaselineHadIsKnownAndOnlyTheRestFails) {
  const Results before = sample_results();
  const std::string json = written(write_json, before, gate_of(before, FailOn::must, RunEnd::complete, nullptr));
  const auto baseline = parse_baseline("before.json", json);
  ASSERT_TRUE(baseline) << baseline.error();

  const Gate same = gate_of(before, FailOn::must, RunEnd::complete, &*baseline);
  EXPECT_EQ(same.status, ExitStatus::passed);
  EXPECT_EQ(same.known.size(), 2u);
  EXPECT_TRUE(is_known(same, Failure::Kind::test_case, "open/twice"));

  Results now = before;
  now.cases.push_back(now.cases[0]);
  now.cases.back().id = "open/thrice";  // the same rule, another case
  const Gate worse = gate_of(now, FailOn::must, RunEnd::complete, &*baseline);
  EXPECT_EQ(worse.status, ExitStatus::failed);
  ASSERT_EQ(worse.regressions.size(), 1u);
  EXPECT_EQ(worse.regressions[0].id, "open/thrice");
}

TEST(Gate, WhatNoLongerFailsIsToldWithItsVerdict) {
  const Baseline baseline{.failed_rules = {"TEST-2-1", "TEST-9-9"}, .failed_cases = {"open/never"}};
  const Gate gate = gate_of(sample_results(), FailOn::must, RunEnd::complete, &baseline);
  ASSERT_EQ(gate.mended.size(), 3u);
  EXPECT_EQ(gate.mended[0].now, "not-exercised");
  EXPECT_EQ(gate.mended[1].now, "absent");
  EXPECT_EQ(gate.mended[2].now, "skipped");
}

TEST(Baseline, WhatIsNoResultIsRefusedInOneLine) {
  for (const std::string json : {"", "{", "[]", "{}", R"({"schema":"wirelaw/2","rules":[],"cases":[]})",
                                 R"({"schema":"wirelaw/1"})", R"({"schema":"wirelaw/1","rules":[1],"cases":[]})",
                                 R"({"schema":"wirelaw/1","rules":[{"id":1,"verdict":"fail"}],"cases":[]})"}) {
    const auto baseline = parse_baseline("b.json", json);
    ASSERT_FALSE(baseline) << json;
    EXPECT_THAT(baseline.error(), HasSubstr("b.json: "));
    EXPECT_EQ(baseline.error().find('\n'), std::string::npos);
  }
  EXPECT_FALSE(read_baseline("/nonexistent/b.json"));
  EXPECT_FALSE(read_baseline("/"));
  EXPECT_FALSE(parse_baseline("deep", std::string(1 << 16, '[')));
}

}  // namespace
}  // namespace wirelaw
