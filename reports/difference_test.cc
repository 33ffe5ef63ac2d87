// SPDX-License-Identifier: Apache-2.0
#include "reports/difference.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "reports/sample_results_test.h"

namespace wirelaw {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

ResultFile with_rule(const std::string& verdict) {
  return {.rules = {{.id = "TEST-1-1", .verdict = verdict}}};
}
ResultFile with_case(const std::string& verdict, const std::string& reason = {}) {
  return {.cases = {{.id = "open/twice", .verdict = verdict, .reason = reason}}};
}
Difference between(const ResultFile& before, const ResultFile& after, bool strict = false) {
  return difference_of("a.json", before, "b.json", after, strict);
}

struct Step {
  const char* before;
  const char* after;
  Becoming becoming;
  bool fails;
};

TEST(Difference, OfEachPairOfVerdicts) {
  using enum Becoming;
  const Step steps[] = {{"pass", "pass", same, false},
                        {"pass", "fail", worse, true},
                        {"pass", "warned", worse, true},
                        {"warned", "fail", worse, true},
                        {"fail", "warned", better, false},
                        {"fail", "pass", better, false},
                        {"warned", "pass", better, false},
                        {"fail", "fail", same, false},
                        {"not-exercised", "pass", fresh, false},
                        {"not-exercised", "warned", fresh, false},
                        {"not-exercised", "fail", fresh, true},
                        {"inconclusive", "fail", fresh, true},
                        {"pass", "not-exercised", gone, false},
                        {"pass", "inconclusive", gone, false},
                        {"fail", "skipped", gone, false},
                        {"skipped", "inconclusive", same, false},
                        {"not-applicable", "not-exercised", same, false}};
  for (const Step& step : steps) {
    for (const auto& difference : {between(with_rule(step.before), with_rule(step.after)),
                                   between(with_case(step.before), with_case(step.after))}) {
      EXPECT_EQ(difference.count(step.becoming), 1u) << step.before << " to " << step.after;
      EXPECT_EQ(difference.fails(), step.fails) << step.before << " to " << step.after;
    }
  }
}

TEST(Difference, WhatIsAbsentIsNewOrGone) {
  const Difference fresh = between({}, with_case("fail", "no answer"));
  ASSERT_THAT(fresh.cases, SizeIs(1));
  EXPECT_EQ(fresh.cases[0].becoming, Becoming::fresh);
  EXPECT_EQ(fresh.cases[0].before, "absent");
  EXPECT_EQ(fresh.cases[0].reason, "no answer");
  EXPECT_TRUE(fresh.fails());
  const Difference gone = between(with_case("pass"), {});
  EXPECT_EQ(gone.cases.at(0).becoming, Becoming::gone);
  EXPECT_FALSE(gone.fails());
  EXPECT_TRUE(between(with_case("pass"), {}, /*strict=*/true).fails());
  EXPECT_EQ(between({}, with_case("skipped")).count(Becoming::same), 1u);
}

TEST(Difference, RunsOfOneResultThatDisagreeAreUnstable) {
  ResultFile after;
  for (const char* verdict : {"pass", "fail", "pass"})
    after.runs.push_back({.end = "complete",
                          .rules = {{.id = "TEST-1-1", .verdict = verdict}},
                          .cases = {{.id = "open/twice", .verdict = verdict}}});
  after.rules = {{.id = "TEST-1-1", .verdict = "fail"}};
  ResultFile before = with_case("pass");
  before.rules = with_rule("pass").rules;
  const Difference difference = between(before, after);
  ASSERT_THAT(difference.rules, SizeIs(1));
  EXPECT_EQ(difference.rules[0].becoming, Becoming::unstable);
  EXPECT_EQ(difference.rules[0].after, "fail in 1 of 3");
  ASSERT_THAT(difference.cases, SizeIs(1));
  EXPECT_EQ(difference.cases[0].becoming, Becoming::unstable);
  EXPECT_TRUE(difference.fails());
  EXPECT_EQ(between(after, after).count(Becoming::same), 2u);
  EXPECT_EQ(between(after, before).count(Becoming::better), 2u);
  EXPECT_FALSE(between(with_case("fail"), {.cases = {}, .runs = after.runs}).cases.at(0).fails);
}

TEST(Difference, WhatTheFramesShowGoesBeforeTheRunsThatDoNot) {
  ResultFile after = with_rule("fail");
  after.runs.push_back({.end = "complete", .rules = {{.id = "TEST-1-1", .verdict = "pass"}}});
  EXPECT_EQ(between(with_rule("pass"), after).rules.at(0).after, "fail");
}

TEST(Difference, FindingsAreComparedByKind) {
  const auto finding = [](const char* severity) {
    return ResultFile::Finding{.rule = "TEST-1-1", .severity = severity, .expected = "1", .actual = "2", .frame = 7};
  };
  const ResultFile one{.findings = {finding("violation")}},
      two{.findings = {finding("violation"), finding("violation")}};
  const ResultFile warning{.findings = {finding("warning")}};
  EXPECT_EQ(between(one, two).findings.at(0).becoming, Becoming::more);
  EXPECT_FALSE(between(one, two).fails());
  EXPECT_EQ(between(two, one).findings.at(0).becoming, Becoming::fewer);
  EXPECT_EQ(between(one, {}).findings.at(0).becoming, Becoming::gone);
  const Difference fresh = between(warning, one);
  ASSERT_THAT(fresh.findings, SizeIs(2));
  EXPECT_EQ(fresh.findings[0].becoming, Becoming::fresh);
  EXPECT_EQ(fresh.findings[0].reason, "frame 7: expected 1, actual 2");
  EXPECT_TRUE(fresh.findings[0].fails);
  EXPECT_EQ(fresh.findings[1].becoming, Becoming::gone);
  EXPECT_FALSE(between(one, warning).fails()) << "a warning fails nothing";
}

TEST(Difference, ARunThatBreaksOffIsWorse) {
  const Difference difference = between({}, {.end = "peer-lost", .exit_status = 3});
  EXPECT_TRUE(difference.fails());
  EXPECT_EQ(difference.run.at(0).after, "peer-lost");
  EXPECT_EQ(between({.end = "peer-lost"}, {}).run.at(0).becoming, Becoming::better);
  EXPECT_FALSE(between({.end = "peer-lost"}, {.end = "interrupted"}).fails());
}

// A written result is read back: it does not differ from itself.
TEST(Difference, OfAResultFromItselfIsNone) {
  const std::string json = written(write_json, sample_results(), gate_of(sample_results(), {}, {}, nullptr));
  const auto result = parse_result("a.json", json, "hint");
  ASSERT_TRUE(result) << result.error();
  const Difference difference = between(*result, *result);
  EXPECT_FALSE(difference.fails());
  EXPECT_EQ(difference.count(Becoming::same), 6u);  // three rules, two cases, a kind of finding
  EXPECT_THAT(bottom_line(difference), HasSubstr("NOTHING WORSE: 6 same (exit status 0)"));
}

TEST(Difference, InTextSaysWhatItComesToFirstAndIsHarmless) {
  Output out = Output::to_memory();
  write_difference_text(between(with_case("pass"), with_case("fail", "sent \x1b[31m")), 100, out);
  EXPECT_TRUE(out.text().starts_with("WORSE: 1 worse (exit status 1)\n")) << out.text();
  EXPECT_THAT(out.text(), HasSubstr("! case open/twice  pass -> fail\n        sent \\x1b[31m\n"));
}

TEST(Difference, InJsonHoldsTheSame) {
  Output out = Output::to_memory();
  write_difference_json(between(with_rule("pass"), with_rule("fail")), "1.2.3", out);
  const auto json = nlohmann::json::parse(out.text());
  EXPECT_EQ(json["schema"], "wirelaw-diff/1");
  EXPECT_EQ(json["exit_status"], 1);
  EXPECT_EQ(json["counts"]["worse"], 1);
  EXPECT_EQ(json["rules"][0]["change"], "worse");
  EXPECT_EQ(json["rules"][0]["fails"], true);
}

TEST(Difference, InHtmlEscapesWhatPeersSent) {
  Output out = Output::to_memory();
  write_difference_html(between(with_case("pass"), with_case("fail", "<script>alert(1)</script>&\"'")), "1.2.3", out);
  EXPECT_THAT(out.text(), HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"));
  EXPECT_THAT(out.text(), Not(HasSubstr("<script>alert")));
}

ResultFile tested(const std::string& protocol, const std::string& peer) {
  ResultFile result;
  result.inputs = {peer};
  result.cases = {{.id = "a/b", .protocol = protocol, .verdict = "pass"}};
  return result;
}

TEST(Difference, IsOfOneProtocol) {
  const auto ramcloud = protocols_of(tested("ramcloud", "udp://a")), efa = protocols_of(tested("efa", "udp://a"));
  EXPECT_TRUE(are_of_other_protocols(ramcloud, efa));
  EXPECT_FALSE(are_of_other_protocols(ramcloud, ramcloud));
  EXPECT_FALSE(are_of_other_protocols(ramcloud, protocols_of(ResultFile{}))) << "an empty result says nothing";
  // A capture has no cases: what was exercised shows what it is about.
  ResultFile capture;
  capture.rules = {{.id = "EFA-1-1", .protocol = "efa", .verdict = "pass", .exercised = 1},
                   {.id = "RAMCLOUD-1-1", .protocol = "ramcloud", .verdict = "not-exercised"}};
  EXPECT_TRUE(are_of_other_protocols(ramcloud, protocols_of(capture)));
  EXPECT_FALSE(are_of_other_protocols(efa, protocols_of(capture)));
}

TEST(Difference, OfTwoPeersSaysSo) {
  const ResultFile one = tested("efa", "udp://a"), other = tested("efa", "udp://b");
  EXPECT_EQ(note_on_peers(difference_of("1.json", one, "2.json", other)),
            "the results are of different peers, udp://a and udp://b");
  EXPECT_EQ(note_on_peers(difference_of("1.json", one, "2.json", one)), "");
}

}  // namespace
}  // namespace wirelaw
