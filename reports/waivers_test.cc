// SPDX-License-Identifier: Apache-2.0
#include "reports/waivers.h"

#include <gmock/gmock.h>

#include "reports/json.h"
#include "reports/junit.h"
#include "reports/sample_results_test.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr std::chrono::sys_days kToday{2026y / 3 / 14};

const std::string kHead = "schema = \"wirelaw-waivers/2\"\n";

std::string waiver(std::string_view what, std::string_view until = "2026-03-14") {
  return fmt::format("[[waiver]]\n{}\nreason = \"the firmware is old\"\nowner = \"lab\"\nuntil = {}\n", what, until);
}

Waivers waivers_of(const std::string& text) {
  return parse_waivers("w.toml", kHead + text).value();
}

Gate gate_with(const Results& results, const std::string& text) {
  const Waivers waivers = waivers_of(text);
  const WaiversToday today{waivers, kToday};
  return gate_of(results, FailOn::must, RunEnd::complete, nullptr, 0, &today);
}

// Results of one case, which fails because of kBroken; every finding of kBroken is in it.
Results failed_case() {
  Results results = sample_results();
  results.findings.at(0).occasion.test_case = "open/twice";
  return results;
}

TEST(Waivers, AreReadWithAllThatTheySay) {
  const Waivers waivers = waivers_of(waiver("case = \"open/twice\"\nlink = \"https://bugs.example/1\""));
  ASSERT_EQ(waivers.entries.size(), 1u);
  const Waiver& one = waivers.entries[0];
  EXPECT_TRUE(one.is_of_case);
  EXPECT_EQ(one.id, "open/twice");
  EXPECT_EQ(one.owner, "lab");
  EXPECT_EQ(one.link, "https://bugs.example/1");
  EXPECT_EQ(to_string(one.until), "2026-03-14");
}

TEST(Waivers, ThatAreNotOfTheirFormAreOneLineThatSaysWhere) {
  const std::pair<std::string, std::string> kWrong[] = {
      {"schema = 1\n", "w.toml: line 1: the file schema is not a string"},
      {"", "does not say schema = \"wirelaw-waivers/2\""},
      {kHead + "[[waiver]\n", "w.toml: line 2: is not TOML: "},
      {kHead + waiver(""), "names one rule = \"…\", or one case"},
      {kHead + waiver("rule = \"A\"\ncase = \"B\""), "names one rule = \"…\", or one case"},
      {kHead + "[[waiver]]\nrule = \"A\"\nowner = \"x\"\nuntil = 2026-01-01\n", "a [[waiver]] needs reason = "},
      {kHead + "[[waiver]]\nrule = \"A\"\nreason = \"x\"\nuntil = 2026-01-01\n", "a [[waiver]] needs owner = "},
      {kHead + "[[waiver]]\nrule = \"A\"\nreason = \"x\"\nowner = \"x\"\n", "a [[waiver]] needs until = "},
      {kHead + waiver("rule = \"A\"", "\"2026-01-01\""), "line 6: a [[waiver]] until is not a date"},
      {kHead + waiver("rule = \"A\"", "2026-02-30"), "is not TOML"},
      {kHead + waiver("rule = \"A\"\nuntill = 1"), "line 4: a [[waiver]] has no 'untill'; known: rule, case"},
      {kHead + waiver("rule = \"A\"") + waiver("rule = \"A\""), "line 7: A is waived a second time"},
      {kHead + "waiver = 3\n", "waiver is not a list of tables"},
      {kHead + "waivers = []\n", "the file has no 'waivers'"},
      {std::string("\xff\xfe\0x", 4), "is not TOML"},
      {std::string(2u << 20, '#'), "has more than 1 MiB"},
      {kHead + "x = " + std::string(100'000, '['), "is not TOML"},
  };
  for (const auto& [text, says] : kWrong) {
    const auto read = parse_waivers("w.toml", text);
    ASSERT_FALSE(read) << says;
    EXPECT_THAT(read.error(), HasSubstr(says));
    EXPECT_THAT(read.error(), testing::StartsWith("w.toml: "));
    EXPECT_THAT(read.error(), Not(HasSubstr("\n")));
  }
}

TEST(Waivers, AWaivedRuleFailsNoRunAndNeitherDoCasesThatFailByNothingElse) {
  const Gate gate = gate_with(sample_results(), waiver("rule = \"TEST-1-1\""));
  EXPECT_EQ(gate.status, ExitStatus::passed);
  EXPECT_TRUE(gate.regressions.empty());
  EXPECT_EQ(gate.waived.size(), 2u);
  EXPECT_NE(waiver_of(gate, Failure::Kind::rule, "TEST-1-1"), nullptr);
  EXPECT_NE(waiver_of(gate, Failure::Kind::test_case, "open/twice"), nullptr);
}

TEST(Waivers, ACaseOfAnotherFailedRuleStillFails) {
  Results results = sample_results();
  results.rules.at(1).verdict = Verdict::fail;
  results.cases.at(0).rules = {&kBroken, &kAdvised};
  const Gate gate = gate_with(results, waiver("rule = \"TEST-1-1\""));
  EXPECT_EQ(gate.status, ExitStatus::passed) << "a SHOULD alone is left of it";
  EXPECT_EQ(waiver_of(gate, Failure::Kind::test_case, "open/twice"), nullptr);
}

TEST(Waivers, AWaivedCaseCoversTheRulesThatAreBrokenInItAlone) {
  EXPECT_EQ(gate_with(failed_case(), waiver("case = \"open/twice\"")).status, ExitStatus::passed);
  Results elsewhere = failed_case();
  elsewhere.findings.push_back(sample_finding(Severity::violation));
  EXPECT_EQ(gate_with(elsewhere, waiver("case = \"open/twice\"")).status, ExitStatus::failed);
  Results warned = failed_case();
  warned.findings.push_back(sample_finding(Severity::warning));
  EXPECT_EQ(gate_with(warned, waiver("case = \"open/twice\"")).status, ExitStatus::passed);
}

TEST(Waivers, AfterItsLastDayAFailureFailsTheRunAgain) {
  const std::string held = waiver("rule = \"TEST-1-1\"", "2026-03-14"),
                    over = waiver("rule = \"TEST-1-1\"", "2026-03-13");
  EXPECT_EQ(gate_with(sample_results(), held).status, ExitStatus::passed);
  const Gate gate = gate_with(sample_results(), over);
  EXPECT_EQ(gate.status, ExitStatus::failed);
  ASSERT_EQ(gate.unused_waivers.size(), 1u);
  EXPECT_TRUE(gate.unused_waivers[0].is_expired);
  EXPECT_EQ(gate.unused_waivers[0].verdict, "fail");
}

TEST(Waivers, OfWhatDoesNotFailAreReportedAndFailNothing) {
  Results results = sample_results();
  results.rules.at(0).verdict = Verdict::pass;
  results.cases.at(0).verdict = Verdict::pass;
  const Gate gate = gate_with(results, waiver("rule = \"TEST-1-1\"") + waiver("case = \"no/such\""));
  EXPECT_EQ(gate.status, ExitStatus::passed);
  ASSERT_EQ(gate.unused_waivers.size(), 2u);
  EXPECT_FALSE(gate.unused_waivers[0].is_expired);
  EXPECT_EQ(gate.unused_waivers[0].verdict, "pass");
  EXPECT_EQ(gate.unused_waivers[1].verdict, "absent");
  EXPECT_THAT(written(write_text, results, gate), HasSubstr("unused  rule TEST-1-1: now pass"));
  EXPECT_THAT(written(write_text, results, gate), Not(HasSubstr("no/such")));
}

TEST(Waivers, EachReportNamesThem) {
  const Results results = sample_results();
  const Gate gate = gate_with(results, waiver("rule = \"TEST-1-1\"") + waiver("rule = \"TEST-1-2\"", "2020-01-01"));
  const std::string says = "waived until 2026-03-14 by lab: the firmware is old";
  const std::string text = written(write_text, results, gate);
  EXPECT_THAT(text, HasSubstr(says));
  EXPECT_THAT(text, HasSubstr("expired rule TEST-1-2: on 2020-01-01, of lab; now pass"));
  EXPECT_THAT(text, HasSubstr("PASS, but waived: 1 MUST rule and 1 case; nothing else failed; expired: 1 waiver"));
  EXPECT_THAT(written(write_junit, results, gate), HasSubstr(says));
  const std::string json = written(write_json, results, gate);
  EXPECT_THAT(json, HasSubstr(R"("waived":[{"kind":"rule","id":"TEST-1-1","level":"MUST","waiver":{)"));
  EXPECT_THAT(json, HasSubstr(R"("state":"expired","verdict":"pass")"));
}

}  // namespace
}  // namespace wirelaw
