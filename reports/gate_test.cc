// SPDX-License-Identifier: Apache-2.0
#include "reports/gate.h"

#include <gmock/gmock.h>

#include "reports/json.h"
#include "reports/junit.h"
#include "reports/sample_results_test.h"
#include "reports/tap.h"
#include "reports/text.h"

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
  // Rules that only a control exercised are no test if no case has a result.
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

// Returns `of` cases, of which `open` are inconclusive and the others pass. Every fourth has a different reason.
Results partly_inconclusive(std::size_t open, std::size_t of) {
  Results results;
  for (std::size_t i = 0; i < of; ++i)
    results.cases.push_back({.id = "a/" + std::to_string(i),
                             .protocol = "test",
                             .purpose = {},
                             .rules = {&kBroken},
                             .verdict = i < open ? Verdict::inconclusive : Verdict::pass,
                             .reason = i >= open ? std::string()
                                       : i % 4 == 3
                                           ? "its own reason, letter " + std::string(1, static_cast<char>('a' + i))
                                           : "no answer after " + std::to_string(i) + " ms"});
  return results;
}

TEST(Gate, ARunOfWhichMostCasesAreInconclusiveDidNotPass) {
  const Results mostly = partly_inconclusive(42, 50), half = partly_inconclusive(25, 50);
  EXPECT_EQ(end_with_bound(RunEnd::complete, mostly, kMaxInconclusive), RunEnd::mostly_inconclusive);
  EXPECT_EQ(end_with_bound(RunEnd::complete, mostly, 84), RunEnd::complete) << "as many as are allowed";
  EXPECT_EQ(end_with_bound(RunEnd::complete, mostly, 83), RunEnd::mostly_inconclusive);
  EXPECT_EQ(end_with_bound(RunEnd::complete, half, kMaxInconclusive), RunEnd::complete);
  EXPECT_EQ(end_with_bound(RunEnd::complete, partly_inconclusive(1, 50), 0), RunEnd::mostly_inconclusive);
  EXPECT_EQ(end_with_bound(RunEnd::complete, {}, 0), RunEnd::complete) << "a capture has no cases";
  EXPECT_EQ(end_with_bound(RunEnd::peer_lost, mostly, kMaxInconclusive), RunEnd::peer_lost);
  const Gate gate = gate_of(mostly, FailOn::must, RunEnd::mostly_inconclusive, nullptr);
  EXPECT_EQ(gate.status, ExitStatus::misused);
  EXPECT_EQ(written(write_text, mostly, gate, {.quiet = true}),
            "INCONCLUSIVE: 42 of 50 cases, more than --max-inconclusive allows; nothing failed in the rest; 32 of the "
            "42 inconclusive cases say: no answer after 0 ms (exit status 2)\n");
  EXPECT_THAT(written(write_junit, mostly, gate), HasSubstr("type=\"mostly-inconclusive\""));
  EXPECT_THAT(written(write_tap, mostly, gate), HasSubstr("end: \"mostly-inconclusive\""));
  EXPECT_THAT(written(write_json, mostly, gate), HasSubstr("\"end\":\"mostly-inconclusive\""));
  Results failed = mostly;
  failed.rules = failing(kBroken).rules;
  EXPECT_EQ(gate_of(failed, FailOn::must, RunEnd::mostly_inconclusive, nullptr).status, ExitStatus::failed);
}

TEST(Gate, SkippedCasesAreNoPartOfTheShare) {
  Results results = partly_inconclusive(2, 3);
  for (int i = 0; i < 50; ++i)
    results.cases.push_back(
        {.id = "s", .protocol = "test", .purpose = {}, .rules = {}, .verdict = Verdict::skipped, .reason = "no echo"});
  EXPECT_EQ(end_with_bound(RunEnd::complete, results, kMaxInconclusive), RunEnd::mostly_inconclusive);
  EXPECT_EQ(inconclusive_cases(results).of, 3u);
}

TEST(Gate, APeerThatDiedAndWasStartedAgainLeavesNothingIncomplete) {
  const Results results = failing(kBroken);
  const Gate died = gate_of(results, FailOn::must, RunEnd::peer_died, nullptr);
  EXPECT_EQ(died.status, ExitStatus::peer_lost);
  EXPECT_EQ(written(write_text, results, died, {.quiet = true}),
            "PEER DIED: see the cases that say so; it was restarted, and every case was run; 1 MUST rule failed "
            "(exit status 3)\n");
  EXPECT_THAT(written(write_junit, results, died), HasSubstr("type=\"peer-died\""));
  const Gate lost = gate_of(results, FailOn::must, RunEnd::peer_lost, nullptr);
  EXPECT_THAT(written(write_text, results, lost, {.quiet = true}),
              HasSubstr("the verdicts are incomplete; 1 MUST rule failed (exit status 3)"));
}

TEST(Gate, APassSaysFirstWhatFailedAllTheSame) {
  const Results results = failing(kAdvised);
  const Gate gate = gate_of(results, FailOn::must, RunEnd::complete, nullptr);
  EXPECT_EQ(written(write_text, results, gate, {.quiet = true}),
            "PASS, but below --fail-on must: 1 SHOULD rule; nothing else failed (exit status 0)\n");
}

TEST(Gate, WhatTheTesterLacksOutweighsALostPeerAndAFailure) {
  EXPECT_EQ(gate_of({}, FailOn::must, RunEnd::local_resource_error, nullptr).status, ExitStatus::misused);
  EXPECT_EQ(gate_of(failing(kBroken), FailOn::must, RunEnd::local_resource_error, nullptr).status, ExitStatus::misused);
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
  results.rules.clear();  // no rule shows the level of the failure
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
  ASSERT_EQ(gate.fixed.size(), 3u);
  EXPECT_EQ(gate.fixed[0].verdict, "not-exercised");
  EXPECT_EQ(gate.fixed[1].verdict, "absent");
  EXPECT_EQ(gate.fixed[2].verdict, "skipped");
}

TEST(Baseline, WhatIsNoResultIsRefusedInOneLine) {
  for (const std::string json : {"", "{", "[]", "{}", R"({"schema":"wirelaw/1","rules":[],"cases":[]})",
                                 R"({"schema":"wirelaw/2"})", R"({"schema":"wirelaw/2","rules":[1],"cases":[]})",
                                 R"({"schema":"wirelaw/2","rules":[{"id":1,"verdict":"fail"}],"cases":[]})"}) {
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
