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

// Users' scripts depend on the output in the golden files: change them only on purpose.
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
  EXPECT_THAT(written(write_text, results, gate_for(results), {.colour = true}), HasSubstr("\x1b[31mFAIL\x1b[0m"));
}

TEST(Report, QuietIsTheBottomLineAlone) {
  const Results results = sample_results();
  EXPECT_EQ(written(write_text, results, gate_for(results), {.quiet = true}),
            "FAIL: 1 MUST rule and 1 case failed (exit status 1)\n");
}

TEST(Report, AFaultIsOneBlockWithAnExampleAndTheCount) {
  Results results = sample_results();
  results.findings.assign(60, sample_finding(Severity::violation));
  for (std::size_t i = 0; i < results.findings.size(); ++i) results.findings[i].frame = 7 + i;
  results.rules[0].exercised = results.rules[0].failed = 70;
  const auto blocks_of = [&](std::size_t most) {
    const std::string text = written(write_text, results, gate_for(results), {.max_findings = most});
    EXPECT_THAT(text, HasSubstr("FAIL  TEST-1-1  MUST 70 of 70\n"));
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("      where ", at)) != std::string::npos; ++at) ++count;
    return std::pair(count, text);
  };
  EXPECT_EQ(blocks_of(1).first, 1u);
  EXPECT_THAT(blocks_of(1).second, HasSubstr("      +69       frame 8, frame 9, "));
  EXPECT_EQ(blocks_of(3).first, 3u);
  EXPECT_THAT(blocks_of(3).second, HasSubstr("      +67       frame 10, "));
  EXPECT_EQ(blocks_of(0).first, 60u);
  EXPECT_THAT(blocks_of(0).second, HasSubstr("      +10       not kept\n"));
}

TEST(Report, MandatoryFaultsComeFirstAndWarningsLast) {
  Results results = sample_results();
  results.findings.assign(3, sample_finding(Severity::warning));
  results.findings[1].severity = results.findings[2].severity = Severity::violation;
  results.findings[1].rule = &kAdvised;
  results.findings[2].rule = &kIdle;
  const std::string text = written(write_text, results, gate_for(results));
  const auto must = text.find("FAIL  TEST-2-1  MUST"), should = text.find("FAIL  TEST-1-2  SHOULD"),
             warning = text.find("warn  TEST-1-1  MUST");
  ASSERT_NE(warning, std::string::npos);
  EXPECT_LT(must, should);
  EXPECT_LT(should, warning);
}

TEST(Report, WhatIsHeldBackIsOneLineUnlessItIsAskedFor) {
  Results results = sample_results();
  results.findings = {sample_finding(Severity::warning)};
  results.findings[0].held_back = true;
  results.rules[0] = {.rule = &kBroken, .verdict = Verdict::warned, .exercised = 1, .warned = 1, .held_back = 1};
  const std::string text = written(write_text, results, gate_for(results));
  EXPECT_THAT(text, HasSubstr("held back 1 rule: "));
  EXPECT_THAT(text, Not(HasSubstr("warn  TEST-1-1")));
  EXPECT_THAT(written(write_text, results, gate_for(results), {.verbose = true}), HasSubstr("warn  TEST-1-1"));
}

TEST(Report, CasesWithoutAVerdictAreGroupedByTheirReason) {
  Results results = sample_results();
  results.cases.resize(1);
  for (int i = 0; i < 5; ++i) {
    results.cases.push_back(results.cases[0]);
    results.cases.back().id = "open/" + std::to_string(i);
    results.cases.back().verdict = Verdict::inconclusive;
    results.cases.back().reason = "no answer came";
  }
  EXPECT_THAT(written(write_text, results, gate_for(results)),
              HasSubstr("  inconclusive   open/0, open/1, open/2 and 2 more\n      no answer came\n"));
  EXPECT_THAT(written(write_text, results, gate_for(results), {.verbose = true}), HasSubstr("  inconclusive   open/4"));
}

TEST(Report, ManyInputsAreSummedAndTheirFlawsCounted) {
  Results results = sample_results();
  results.inputs.assign(3, results.inputs[0]);
  results.inputs[1].completeness = results.inputs[2].completeness = Completeness::unknown;
  results.inputs[1].why = results.inputs[2].why = "it does not say";
  EXPECT_THAT(
      written(write_text, results, gate_for(results)),
      HasSubstr("inputs    3: 27 frames, 2700 octets\n          2 of them may be incomplete: it does not say\n"));
  EXPECT_THAT(written(write_text, results, gate_for(results), {.verbose = true}),
              HasSubstr("input     a.pcap  9 frames, 900 octets; may be incomplete: it does not say\n"));
}

TEST(Report, CoverageIsAShareOfWhatCouldBeJudged) {
  Results results = sample_results();
  EXPECT_THAT(written(write_text, results, gate_for(results)),
              HasSubstr("coverage  test: 2 of 3 rules that a run can show were judged\n"));
  EXPECT_THAT(
      written(write_text, results, gate_for(results), {.verbose = true}),
      HasSubstr("\ncoverage by section\n  rules judged, of those that a capture, a case or the device can show\n"));
  results.cases.clear();
  EXPECT_THAT(written(write_text, results, gate_for(results)),
              HasSubstr("coverage  test: 2 of 2 rules that a capture can show were judged\n"));
}

TEST(Report, AFindingOfALiveRunNamesItsCase) {
  Results results = sample_results();
  results.findings[0].occasion = {.test_case = "open/twice", .control = {}};
  EXPECT_THAT(written(write_text, results, gate_for(results)), HasSubstr("      case      open/twice\n"));
  EXPECT_THAT(written(write_json, results, gate_for(results)), HasSubstr("\"case\":\"open/twice\"}"));
  EXPECT_THAT(written(write_junit, results, gate_for(results)), HasSubstr("case: open/twice\n"));
  results.findings[0].occasion.control = "open/once";
  EXPECT_THAT(written(write_text, results, gate_for(results)),
              HasSubstr("      case      open/once, as a control after open/twice\n"));
}

TEST(Report, WhatDidNotComeIsMissedBehindWhatItShouldAnswer) {
  Results results = sample_results();
  results.findings[0].unanswered = true;
  const std::string flow = "udp 192.0.2.1:1 - 192.0.2.2:2";
  EXPECT_THAT(
      written(write_text, results, gate_for(results)),
      HasSubstr("frame 7, message 3 of " + flow + ", left without the right answer\n                by 192.0.2.1:1\n"));
  results.findings[0].message = 0;
  EXPECT_THAT(written(write_text, results, gate_for(results)), HasSubstr("frame 7, " + flow + ", of 192.0.2.1:1\n"));
}

TEST(Report, AWarningNamesItsRuling) {
  static constinit const Rule ruled{
      "TEST-3-1",        Level::must,      Role::any, "Test 3",
      Observable::trace, Evidence::octets, "Four.",   "TEST/A-63: it may. TEST/R7, S11 and TEST/A18b of 5.3; A-64."};
  static constinit const Rule noted{"TEST-3-2",        Level::must,      Role::any, "Test 3",
                                    Observable::trace, Evidence::octets, "Five.",   "No text says so."};
  Finding finding = sample_finding(Severity::warning);
  finding.rule = &ruled;
  EXPECT_EQ(ruling_of(finding), "TEST/A-63, TEST/R7, TEST/A18b (conformance/test/INTERPRETATIONS.md)");
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
  EXPECT_THAT(written(write_text, results, gate_for(results)), HasSubstr("      ruling    TEST/A-63, TEST/R7"));
  EXPECT_THAT(written(write_json, results, gate_for(results)), HasSubstr("\"ruling\":\"TEST/A-63, TEST/R7"));
}

TEST(Report, FlowsThatAreNotListedAreCountedByTheirState) {
  Results results = sample_results();
  results.flows_dropped = 5;
  results.flows_dropped_as = {4, 0, 1};
  EXPECT_THAT(written(write_text, results, gate_for(results)),
              HasSubstr("flows     6: 5 judged, 1 unrecognised, 5 not listed\n"));
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
  const Gate gate = gate_for(results, RunEnd::local_resource_error);
  EXPECT_EQ(written(write_text, results, gate, {.quiet = true}),
            "TOO FEW FILE DESCRIPTORS: raise the limit (ulimit -n); some cases were not run; nothing failed in "
            "the cases that were run (exit status 2)\n");
  EXPECT_THAT(written(write_junit, results, gate), HasSubstr("type=\"local-resource-error\""));
  results = sample_results();
  EXPECT_THAT(written(write_text, results, gate_for(results, RunEnd::local_resource_error), {.quiet = true}),
              EndsWith("some cases were not run; 1 MUST rule and 1 case failed (exit status 2)\n"));
}

TEST(Report, WhatCouldNotBeWrittenIsSaidWithTheStatusThatComesOfIt) {
  const Results results = sample_results();
  Gate gate = gate_for(results);
  note_output_failed(gate);
  EXPECT_EQ(gate.status, ExitStatus::misused);
  EXPECT_EQ(written(write_text, results, gate, {.quiet = true}),
            "OUTPUT FAILED: an output could not be written; FAIL: 1 MUST rule and 1 case failed (exit status 2)\n");
}

TEST(Report, LongLinesAreBrokenAtTheWidth) {
  Results results = sample_results();
  results.findings[0].explanation = std::string(30, 'a') + ' ' + std::string(30, 'b');
  EXPECT_THAT(written(write_text, results, gate_for(results), {.width = 60}),
              HasSubstr(std::string(30, 'a') + "\n                " + std::string(30, 'b')));
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
  const std::string text = written(write_text, results, gate_for(results), {.verbose = true});
  EXPECT_THAT(text, HasSubstr("the protocol was not seen\n  test: 1 rule\n"));
  EXPECT_THAT(written(write_text, sample_results(), gate_for(results), {.verbose = true}),
              Not(HasSubstr("nothing was seen")));
}

TEST(Report, JunitListsNoRuleOfAProtocolThatWasNeverSeen) {
  Results results = sample_results();
  EXPECT_THAT(written(write_junit, results, gate_for(results)), HasSubstr("name=\"TEST-2-1\""));
  results.flows.clear();
  results.cases.clear();
  const std::string xml = written(write_junit, results, gate_for(results));
  EXPECT_THAT(xml, Not(HasSubstr("name=\"TEST-2-1\"")));
  EXPECT_THAT(xml, HasSubstr("name=\"TEST-1-2\""));
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
