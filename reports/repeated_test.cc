// SPDX-License-Identifier: Apache-2.0
#include "reports/repeated.h"

#include <gmock/gmock.h>

#include "reports/sample_results_test.h"

namespace wirelaw {
namespace {

Results passing() {
  Results results = sample_results();
  results.rules[0] = {.rule = &kBroken, .verdict = Verdict::pass, .exercised = 5};
  results.findings.clear();
  results.cases[0].verdict = Verdict::pass;
  results.cases[0].reason.clear();
  return results;
}

TEST(Repeated, OfOneRunIsThatRun) {
  const Results one = repeated({sample_results()});
  EXPECT_EQ(one.rules[0].verdict, Verdict::fail);
  EXPECT_EQ(one.rules[0].reason, "");
  EXPECT_EQ(one.rules[0].exercised, 5u);
  EXPECT_EQ(one.cases[0].reason, "the second open was not answered");
}

TEST(Repeated, IsNeverTheBestOfTheRuns) {
  const Results all = repeated({passing(), sample_results(), passing()});
  EXPECT_EQ(all.rules[0].verdict, Verdict::fail);
  EXPECT_EQ(all.rules[0].reason, "unstable: fail in 1, pass in 2 of 3 runs");
  EXPECT_EQ(all.rules[0].exercised, 15u);
  EXPECT_EQ(all.rules[0].failed, 1u);
  EXPECT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.cases[0].verdict, Verdict::fail);
  EXPECT_EQ(all.cases[0].reason, "unstable: fail in 1, pass in 2 of 3 runs; the second open was not answered");
  EXPECT_EQ(all.inputs[0].frames, 27u);
  EXPECT_EQ(all.flows.size(), 3u);
}

TEST(Repeated, WhatAllAgreeOnSaysNoMore) {
  const Results all = repeated({sample_results(), sample_results()});
  EXPECT_EQ(all.rules[0].reason, "");
  EXPECT_EQ(all.rules[0].failed, 2u);
  EXPECT_EQ(all.cases[1].verdict, Verdict::skipped);
  EXPECT_EQ(all.cases[1].reason, "needs an echo");
}

TEST(Repeated, ARunThatJudgedNothingTakesNothingFromTheOthers) {
  Results nothing;
  nothing.inputs = sample_results().inputs;
  const Results all = repeated({passing(), sample_results(), std::move(nothing)});
  EXPECT_EQ(all.rules[0].verdict, Verdict::fail);
  EXPECT_EQ(all.rules[0].reason, "unstable: fail in 1, pass in 1 of 2 runs");
  EXPECT_EQ(all.cases[0].reason, "unstable: fail in 1, pass in 1 of 2 runs; the second open was not answered");
}

TEST(Repeated, KeepsAFindingOfEachRuleHoweverManyThereAre) {
  Results first = sample_results(), second = sample_results();
  first.findings.assign(10'000, sample_finding(Severity::violation));
  second.findings.push_back(sample_finding(Severity::violation));
  second.findings.back().rule = &kIdle;
  const Results all = repeated({std::move(first), std::move(second)});
  EXPECT_EQ(all.findings.size(), 10'001u);
  EXPECT_EQ(all.findings.back().rule, &kIdle);
  EXPECT_EQ(all.findings_dropped, 1u);
}

}  // namespace
}  // namespace wirelaw
