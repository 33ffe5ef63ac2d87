// SPDX-License-Identifier: Apache-2.0
#include "reports/report.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "reports/json.h"
#include "reports/junit.h"
#include "reports/ruling.h"
#include "reports/sample_results_test.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string golden(const std::string& name) {
  std::ifstream file(std::string(WIRELAW_SOURCE_DIR) + "/reports/golden/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Gate gate_for(const Results& results, RunEnd end = RunEnd::complete) {
  return gate_of(results, FailOn::must, end, nullptr);
}

// The golden files are what users' scripts and habits rest on: change them on purpose only.
TEST(Report, TextIsAsEver) {
  const Results results = sample_results();
  EXPECT_EQ(written(write_text, results, gate_for(results)), golden("sample.txt"));
}

TEST(Report, JsonIsAsEver) {
  const Results results = sample_results();
  EXPECT_EQ(written(write_json, results, gate_for(results)), golden("sample.json"));
}

TEST(Report, JunitIsAsEver) {
  const Results results = sample_results();
  EXPECT_EQ(written(write_junit, results, gate_for(results)), golden("sample.xml"));
}

TEST(Report, JsonStaysJsonWhateverAFileIsCalled) {
  Results results = sample_results();
  results.inputs[0].name = "a\"\xff\x01\n.pcap";
  const auto document = nlohmann::json::parse(written(write_json, results, gate_for(results)), nullptr, false);
  ASSERT_FALSE(document.is_discarded());
  EXPECT_EQ(document["input"]["sources"][0]["name"], "a\"\xef\xbf\xbd\x01\n.pcap");
}

TEST(Report, JunitStaysXmlWhateverThePeerSays) {
  Results results = sample_results();
  results.findings[0].actual = std::string("\0\x1b\xff\xef\xbf\xbe ]]>", 10);
  results.cases[0].reason = "\"\x08<";
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(written(write_junit, results, gate_for(results)).c_str()));
  const std::string text = document.select_node("//testcase[@name='TEST-1-1']/failure").node().text().get();
  EXPECT_THAT(text, HasSubstr("actual: \\x00\\x1b\\xff\\xef\\xbf\\xbe ]]>\n"));
  const auto failure = document.select_node("//testcase[@name='open/twice']/failure").node();
  EXPECT_STREQ(failure.attribute("message").value(), "\"\\x08<");
}

TEST(Report, ColoursOnlyWhereTheyAreWanted) {
  const Results results = sample_results();
  EXPECT_THAT(written(write_text, results, gate_for(results)), Not(HasSubstr("\x1b")));
  EXPECT_THAT(written(write_text, results, gate_for(results), {.colour = true}), HasSubstr("\x1b[31mfail\x1b[0m"));
}

TEST(Report, QuietIsTheBottomLineAlone) {
  const Results results = sample_results();
  EXPECT_EQ(written(write_text, results, gate_for(results), {.quiet = true}),
            "FAIL: 1 MUST rule and 1 case failed (exit status 1)\n");
}

TEST(Report, ManyFindingsAreCutWithAWordOnTheRest) {
  Results results = sample_results();
  results.findings.assign(60, sample_finding(Severity::violation));
  const std::string text = written(write_text, results, gate_for(results), {.max_findings = 50});
  EXPECT_THAT(text, HasSubstr("… and 10 more findings"));
  EXPECT_THAT(written(write_text, results, gate_for(results), {.max_findings = 0}), Not(HasSubstr("more finding")));
}

TEST(Report, TheFirstViolationOfEachRuleIsShownHoweverManyAreBeforeIt) {
  Results results = sample_results();
  results.findings.assign(60, sample_finding(Severity::violation));
  results.findings.push_back(sample_finding(Severity::warning));
  results.findings.push_back(sample_finding(Severity::violation));
  results.findings.back().rule = &kIdle;
  const std::string text = written(write_text, results, gate_for(results), {.max_findings = 50});
  EXPECT_THAT(text, HasSubstr("fail TEST-2-1 MUST"));
  EXPECT_THAT(text, HasSubstr("… and 12 more findings"));
  EXPECT_THAT(written(write_text, results, gate_for(results), {.max_findings = 1}), HasSubstr("fail TEST-2-1 MUST"));
}

TEST(Report, AFindingOfALiveRunNamesItsCase) {
  Results results = sample_results();
  results.findings[0].occasion = {.test_case = "open/twice", .control = {}};
  EXPECT_THAT(written(write_text, results, gate_for(results)), HasSubstr("    case      open/twice\n"));
  EXPECT_THAT(written(write_json, results, gate_for(results)), HasSubstr("\"case\":\"open/twice\"}"));
  EXPECT_THAT(written(write_junit, results, gate_for(results)), HasSubstr("case: open/twice\n"));
  results.findings[0].occasion.control = "open/once";
  EXPECT_THAT(written(write_text, results, gate_for(results)),
              HasSubstr("    case      open/once, as a control after open/twice\n"));
}

TEST(Report, WhatDidNotComeIsMissedBehindWhatItShouldAnswer) {
  Results results = sample_results();
  results.findings[0].unanswered = true;
  const std::string flow = "udp 192.0.2.1:1 - 192.0.2.2:2";
  EXPECT_THAT(written(write_text, results, gate_for(results)),
              HasSubstr("frame 7, message 3 of " + flow + ", left unanswered by 192.0.2.1:1\n"));
  results.findings[0].message = 0;
  EXPECT_THAT(written(write_text, results, gate_for(results)), HasSubstr("frame 7, " + flow + ", of 192.0.2.1:1\n"));
}

TEST(Report, AWarningNamesItsRuling) {
  static constinit const Rule ruled{"TEST-3-1",
                                    Level::must,
                                    Role::any,
                                    "Test 3",
                                    Observable::trace,
                                    "Four.",
                                    "A-63: it may. R7, S11 and A18b of 5.3."};
  static constinit const Rule noted{"TEST-3-2",        Level::must, Role::any,         "Test 3",
                                    Observable::trace, "Five.",     "No text says so."};
  Finding finding = sample_finding(Severity::warning);
  finding.rule = &ruled;
  EXPECT_EQ(ruling_of(finding), "A-63, R7, A18b (conformance/test/INTERPRETATIONS.md)");
  finding.held_back = true;
  EXPECT_EQ(ruling_of(finding), "");
  finding.held_back = false;
  finding.rule = &noted;
  EXPECT_EQ(ruling_of(finding), "No text says so.");
  finding.severity = Severity::violation;
  EXPECT_EQ(ruling_of(finding), "");
  Results results = sample_results();
  results.findings[0].severity = Severity::warning;
  results.findings[0].rule = &ruled;
  EXPECT_THAT(written(write_text, results, gate_for(results)), HasSubstr("    ruling    A-63, R7"));
  EXPECT_THAT(written(write_json, results, gate_for(results)), HasSubstr("\"ruling\":\"A-63, R7"));
}

TEST(Report, FlowsThatAreNotListedAreCountedByTheirState) {
  Results results = sample_results();
  results.flows_dropped = 5;
  results.flows_dropped_as = {4, 0, 1};
  EXPECT_THAT(written(write_text, results, gate_for(results)),
              HasSubstr("flows     6: 5 judged, 0 partial, 1 unrecognised, 5 not listed\n"));
}

TEST(Report, AnInterruptedRunIsNoFailureOfThePeer) {
  Results results;
  const Gate gate = gate_of(results, FailOn::must, RunEnd::interrupted, nullptr, 15);
  EXPECT_EQ(static_cast<int>(gate.status), 143);
  EXPECT_THAT(written(write_text, results, gate), HasSubstr("INTERRUPTED: "));
  EXPECT_THAT(written(write_text, results, gate), EndsWith("(exit status 143)\n"));
  EXPECT_THAT(written(write_junit, results, gate), HasSubstr("type=\"interrupted\""));
}

TEST(Report, TheBottomLineOfATesterThatLacksFilesSaysItsStatus) {
  Results results;
  const Gate gate = gate_for(results, RunEnd::tester_lacks);
  EXPECT_EQ(written(write_text, results, gate, {.quiet = true}),
            "WIRELAW LACKS FILES: it may open too few of them (ulimit -n); not all cases were run; nothing failed in "
            "those that were (exit status 2)\n");
  EXPECT_THAT(written(write_junit, results, gate), HasSubstr("type=\"tester-lacks\""));
  results = sample_results();
  EXPECT_THAT(written(write_text, results, gate_for(results, RunEnd::tester_lacks), {.quiet = true}),
              EndsWith("not all cases were run; 1 MUST rule and 1 case failed (exit status 2)\n"));
}

TEST(Report, WhatCouldNotBeWrittenIsSaidWithTheStatusThatComesOfIt) {
  const Results results = sample_results();
  Gate gate = gate_for(results);
  note_unwritten(gate);
  EXPECT_EQ(gate.status, ExitStatus::misused);
  EXPECT_EQ(written(write_text, results, gate, {.quiet = true}),
            "NOT ALL WRITTEN: an output could not be written; FAIL: 1 MUST rule and 1 case failed (exit status 2)\n");
}

TEST(Report, LongLinesAreBrokenAtTheWidth) {
  Results results = sample_results();
  results.findings[0].explanation = std::string(30, 'a') + ' ' + std::string(30, 'b');
  EXPECT_THAT(written(write_text, results, gate_for(results), {.width = 60}),
              HasSubstr(std::string(30, 'a') + "\n              " + std::string(30, 'b')));
}

TEST(Report, TheBottomLineTellsNothingJudgedFromPassed) {
  Results results;
  results.rules = {{.rule = &kIdle, .verdict = Verdict::not_exercised, .reason = {}}};
  EXPECT_THAT(written(write_text, results, gate_for(results)), EndsWith("(exit status 0)\n"));
  EXPECT_THAT(written(write_text, results, gate_for(results)), HasSubstr("NOTHING JUDGED"));
}

TEST(Report, RulesOfProtocolsThatWereNotSeenAreCountedAndNotListed) {
  Results results = sample_results();
  results.flows.clear();
  results.cases.clear();
  const std::string text = written(write_text, results, gate_for(results));
  EXPECT_THAT(text, HasSubstr("nothing was seen of the protocol\n  test: 1 rule\n"));
  EXPECT_THAT(written(write_text, sample_results(), gate_for(results)), Not(HasSubstr("nothing was seen")));
}

TEST(Report, ALostPeerIsAnErrorAndNoFailureInJunit) {
  Results results;
  const std::string xml = written(write_junit, results, gate_for(results, RunEnd::peer_lost));
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" errors=\"1\""));
}

TEST(Report, FormatsAreFoundByTheirName) {
  EXPECT_EQ(find_report_format("json")->write, &write_json);
  EXPECT_EQ(find_report_format("jason"), nullptr);
}

}  // namespace
}  // namespace wirelaw
