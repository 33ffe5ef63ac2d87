// SPDX-License-Identifier: Apache-2.0
// SARIF, GitHub's annotations and Markdown: what CI systems read.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <pugixml.hpp>
#include <sstream>

#include "reports/github.h"
#include "reports/html/conversation.h"
#include "reports/html/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/provenance.h"
#include "reports/sample_results_test.h"
#include "reports/sarif.h"
#include "reports/tap.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

Gate sample_gate(const Results& results, RunEnd end = RunEnd::complete) {
  return gate_of(results, FailOn::must, end, nullptr);
}
nlohmann::json sarif_of(const Results& results) {
  return nlohmann::json::parse(written(write_sarif, results, sample_gate(results)));
}

TEST(Sarif, HasAResultForEachFindingWithItsRule) {
  const auto log = sarif_of(sample_results());
  EXPECT_EQ(log["version"], "2.1.0");
  const auto& run = log["runs"][0];
  ASSERT_THAT(run["results"], SizeIs(2));  // the finding, and the failed case that no finding reports
  const auto& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "TEST-1-1");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "TEST-1-1");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.pcap");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
  EXPECT_EQ(result["properties"]["octets"], "ab01");
  EXPECT_EQ(run["results"][1]["message"]["text"], "case open/twice: the second open was not answered");
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
}

TEST(Sarif, ACaseIsNoSecondResultBesideItsFinding) {
  Results results = sample_results();
  results.findings[0].occasion.test_case = "open/twice";
  EXPECT_THAT(sarif_of(results)["runs"][0]["results"], SizeIs(1));
}

TEST(Sarif, LevelsAreThoseOfTheRules) {
  Results results = sample_results();
  results.findings = {sample_finding(Severity::warning), sample_finding(Severity::violation)};
  results.findings[1].rule = &kAdvised;
  const auto log = sarif_of(results);
  EXPECT_EQ(log["runs"][0]["results"][0]["level"], "note");
  EXPECT_EQ(log["runs"][0]["results"][1]["level"], "warning");
}

TEST(Sarif, FindingsOfSeveralInputsNameTheirs) {
  Results results = sample_results();
  results.inputs.push_back({.name = "b.pcap", .why = {}});
  const Gate gate = sample_gate(results);
  const ShownTraffic traffic{.inputs = {}, .input_of_finding = {1}, .missing = {}};
  Output out = Output::to_memory();
  write_sarif(Report{results, gate, "1.2.3", {}, &traffic}, out);
  EXPECT_THAT(out.text(), HasSubstr("\"uri\": \"b.pcap\""));
}

TEST(Json, FindingsOfSeveralInputsNameTheirs) {
  Results results = sample_results();
  const Gate gate = sample_gate(results);
  const ShownTraffic traffic{.inputs = {}, .input_of_finding = {1}, .missing = {}};
  const auto input_of_first = [&] {
    Output out = Output::to_memory();
    write_json(Report{results, gate, "1.2.3", {}, &traffic}, out);
    return nlohmann::json::parse(out.text())["findings"][0].value("input", "none");
  };
  EXPECT_EQ(input_of_first(), "none");
  results.inputs.push_back({.name = "b.pcap", .why = {}});
  EXPECT_EQ(input_of_first(), "b.pcap");
}

TEST(Sarif, NamesOfInputsAreUriReferences) {
  EXPECT_EQ(uri_reference("a b/c%.pcap"), "a%20b/c%25.pcap");
  EXPECT_EQ(uri_reference("/tmp/x.pcap"), "file:///tmp/x.pcap");
  EXPECT_EQ(uri_reference("a:b"), "a%3Ab");
  EXPECT_EQ(uri_reference("udp://[::1]:7000?a=1"), "udp/%5B%3A%3A1%5D%3A7000%3Fa%3D1");
  EXPECT_EQ(uri_reference("udp://h<\n"), "udp/h%3C%0A");
  EXPECT_EQ(uri_reference("srd://"), "srd");
  EXPECT_EQ(uri_reference("memory:"), "memory");
  EXPECT_EQ(uri_reference("memory:?loss=0.1"), "memory/%3Floss%3D0.1");
}

// Code scanning rejects the whole log if one location has a scheme other than "file", or no scheme.
TEST(Sarif, APeerIsAPropertyAndItsLocationsAreRelative) {
  Results results = sample_results();
  results.inputs[0].name = "udp://192.0.2.1:7000";
  const auto log = sarif_of(results);
  const auto& run = log["runs"][0];
  EXPECT_EQ(run["artifacts"][0]["location"]["uri"], "udp/192.0.2.1%3A7000");
  EXPECT_EQ(run["artifacts"][0]["description"]["text"], "the peer udp://192.0.2.1:7000");
  ASSERT_THAT(run["results"], SizeIs(2));
  for (const auto& result : run["results"]) {
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "udp/192.0.2.1%3A7000");
    EXPECT_EQ(result["properties"]["peer"], "udp://192.0.2.1:7000");
  }
  EXPECT_FALSE(sarif_of(sample_results())["runs"][0]["results"][0]["properties"].contains("peer"));
}

TEST(Sarif, AWaivedFailureIsSuppressedAndSaysByWhom) {
  const Results results = sample_results();
  const Waivers waivers{.file = "w.toml",
                        .entries = {{.id = "TEST-1-1",
                                     .reason = "fixed in 2.1",
                                     .owner = "lab@example.org",
                                     .until = std::chrono::sys_days{std::chrono::days{20'000}}}}};
  const WaiversToday today{waivers, std::chrono::sys_days{std::chrono::days{19'000}}};
  const Gate gate = gate_of(results, FailOn::must, RunEnd::complete, nullptr, 0, &today);
  const auto log = nlohmann::json::parse(written(write_sarif, results, gate));
  ASSERT_THAT(log["runs"][0]["results"], SizeIs(2));
  for (const auto& result : log["runs"][0]["results"]) {
    EXPECT_EQ(result["suppressions"][0]["kind"], "external");
    EXPECT_EQ(result["suppressions"][0]["justification"], "waived until 2024-10-04 by lab@example.org: fixed in 2.1");
  }
  EXPECT_FALSE(sarif_of(results)["runs"][0]["results"][0].contains("suppressions"));
}

TEST(Sarif, ACaseThatFailsByAnAdviceIsAWarning) {
  Results results = sample_results();
  results.findings.clear();
  results.rules[0].verdict = Verdict::pass;
  results.rules[1].verdict = Verdict::fail;
  results.cases[0].rules = {&kBroken, &kAdvised};
  EXPECT_EQ(sarif_of(results)["runs"][0]["results"][0]["level"], "warning");
  results.rules[0].verdict = Verdict::fail;
  EXPECT_EQ(sarif_of(results)["runs"][0]["results"][0]["level"], "error");
}

TEST(Sarif, AnyOctetsAreJson) {
  Results results = sample_results();
  results.findings[0].actual = "\xff\xfe \x1b[31m";
  results.inputs[0].name = "\xff";
  EXPECT_EQ(sarif_of(results)["runs"][0]["artifacts"][0]["location"]["uri"], "%FF");
}

// --- --provenance

const RunProvenance kProvenance{.command = {"wirelaw", "check", "it's <one>.pcap"},
                                .started = "2026-01-31T12:00:00Z",
                                .ended = "2026-01-31T12:00:07Z",
                                .machine = "Linux 6.1 x86_64",
                                .files = {{"a.pcap", 900, std::string(64, 'a'), {}}, {"-", 0, {}, "a <pipe>"}}};

std::string with_provenance(void (*write)(const Report&, Output&)) {
  const Results results = sample_results();
  const Gate gate = sample_gate(results);
  Output out = Output::to_memory();
  write(Report{.results = results, .gate = gate, .version = "1.2.3", .commit = "c0ffee", .provenance = &kProvenance},
        out);
  return out.text();
}

TEST(Provenance, IsInEachFormatThatIsKeptAndOnlyWhereItIsAskedFor) {
  for (const auto write : {write_text, write_json, write_junit, write_tap, write_html, write_sarif, write_markdown}) {
    const std::string text = with_provenance(write);
    EXPECT_THAT(text, HasSubstr(std::string(64, 'a')));
    EXPECT_THAT(text, HasSubstr("2026-01-31T12:00:07Z"));
    EXPECT_THAT(written(write, sample_results(), sample_gate(sample_results())), Not(HasSubstr(std::string(64, 'a'))));
  }
}

TEST(Provenance, IsEscapedByTheRulesOfItsFormat) {
  EXPECT_EQ(in_shell({"a", "", "it's", "x=1"}), "a '' 'it'\\''s' x=1");
  EXPECT_THAT(with_provenance(write_html), Not(HasSubstr("<one>")));
  EXPECT_THAT(with_provenance(write_html), Not(HasSubstr("<pipe>")));
  EXPECT_THAT(with_provenance(write_markdown), Not(HasSubstr("<one>")));
  const auto json = nlohmann::json::parse(with_provenance(write_json));
  EXPECT_EQ(json["provenance"]["command"][2], "it's <one>.pcap");
  EXPECT_EQ(json["provenance"]["files"][1]["why_no_sha256"], "a <pipe>");
  const auto run = nlohmann::json::parse(with_provenance(write_sarif))["runs"][0];
  EXPECT_EQ(run["invocations"][0]["commandLine"], "wirelaw check 'it'\\''s <one>.pcap'");
  EXPECT_EQ(run["artifacts"][0]["hashes"]["sha-256"], std::string(64, 'a'));
}

TEST(Github, IsOneLineForEachFault) {
  Results results = sample_results();
  results.findings.push_back(results.findings[0]);
  const std::string text = written(write_github, results, sample_gate(results));
  EXPECT_THAT(text, HasSubstr("::error title=TEST-1-1 MUST,file=a.pcap::One is one. "));
  EXPECT_THAT(text, HasSubstr("; 1 more finding like it\n"));
  EXPECT_THAT(text, HasSubstr("::error title=case open/twice::the second open was not answered\n"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
}

TEST(Github, WhatAPeerSaysIsNoCommand) {
  Results results = sample_results();
  results.inputs[0].name = "a,file=b:c%.pcap";
  results.findings[0].actual = "x\n::error title=forged::y%0A";
  const std::string text = written(write_github, results, sample_gate(results));
  EXPECT_THAT(text, HasSubstr("file=a%2Cfile=b%3Ac%25.pcap::"));
  EXPECT_THAT(text, Not(HasSubstr("\n::error title=forged")));
  EXPECT_THAT(text, HasSubstr("y%250A"));
}

TEST(Github, ShowsTenOfAKindAndCountsTheRest) {
  Results results;
  for (int i = 0; i < 15; ++i)
    results.cases.push_back({.id = "case/" + std::to_string(i), .verdict = Verdict::fail, .reason = "no"});
  const std::string text = written(write_github, results, sample_gate(results));
  EXPECT_EQ(std::ranges::count(text, '\n'), 11);
  EXPECT_THAT(text, HasSubstr("::notice title=wirelaw::5 more annotations like these (error) are in the report\n"));
}

TEST(Github, ARunThatBrokeOffIsAnError) {
  EXPECT_THAT(written(write_github, {}, sample_gate({}, RunEnd::peer_lost)),
              HasSubstr("::error title=wirelaw::PEER LOST"));
  EXPECT_EQ(written(write_github, {}, sample_gate({})), "");
}

TEST(Tap, HasALineForEachCaseAndRuleAndItsPlanCountsThem) {
  const std::string text = written(write_tap, sample_results(), sample_gate(sample_results()));
  EXPECT_TRUE(
      text.starts_with("TAP version 13\n1..6\n"
                       "not ok 1 - test open/twice\n"
                       "  ---\n"
                       "  message: \"the second open was not answered\"\n"
                       "  purpose: \"Opens twice.\"\n"
                       "  rules: [TEST-1-1]\n"
                       "  frames: [1, 4]\n"
                       "  ...\n"
                       "ok 2 - test open/never # SKIP skipped: needs an echo\n"
                       "not ok 3 - TEST-1-1 One is one.\n"
                       "  ---\n"
                       "  severity: \"MUST\"\n"
                       "  section: \"Test 1\"\n"
                       "  findings: 1\n"))
      << text;
  EXPECT_THAT(text, HasSubstr("\n  octets: \"ab01\"\n"));
  EXPECT_THAT(text, HasSubstr("\n  found: \"\\\\x1b[31m2\"\n"));
  EXPECT_THAT(text,
              HasSubstr("\nok 4 - TEST-1-2 Two is better.\nok 5 - TEST-2-1 Three answers. # SKIP not-exercised\n"));
  EXPECT_TRUE(text.ends_with("\nok 6 - wirelaw finished\n"));
}

TEST(Tap, AFailureThatFailsNoRunIsATodo) {
  Results results = sample_results();
  results.rules[0].verdict = Verdict::pass;
  results.rules[1].verdict = Verdict::fail;
  results.cases.clear();
  results.findings.clear();
  EXPECT_THAT(written(write_tap, results, sample_gate(results)),
              HasSubstr("\nnot ok 2 - TEST-1-2 Two is better. # TODO failed, but SHOULD does not fail the run"));
}

TEST(Tap, ARunThatBrokeOffIsNotOk) {
  const std::string text = written(write_tap, {}, sample_gate({}, RunEnd::peer_lost));
  EXPECT_TRUE(text.starts_with("TAP version 13\n1..1\nnot ok 1 - wirelaw finished\n  ---\n  end: \"peer-lost\"\n"))
      << text;
}

TEST(Tap, WhatAPeerSaysIsNoLineOfItsOwn) {
  Results results = sample_results();
  results.cases[0].reason = "no\nok 99 - forged # TODO never";
  results.cases[1].id = "open/#TODO";
  const std::string text = written(write_tap, results, sample_gate(results));
  EXPECT_THAT(text, Not(HasSubstr("\nok 99")));
  EXPECT_THAT(text, HasSubstr("\nok 2 - test open/\\#TODO # SKIP "));
}

TEST(Markdown, SaysWhatItComesToWhatFailedAndWhatWasCovered) {
  const std::string text = written(write_markdown, sample_results(), sample_gate(sample_results()));
  EXPECT_TRUE(text.starts_with("## wirelaw\n\n**FAIL\\: 1 MUST rule and 1 case failed \\(exit status 1\\)**\n"))
      << text;
  EXPECT_THAT(text, HasSubstr("| rules | 3 | 1 | 0 | 1 | 0 | 1 | 0 | 0 |"));
  EXPECT_THAT(text, HasSubstr("| **TEST-1-1** MUST<br>One is one. | Test 1 |"));
  EXPECT_THAT(text, HasSubstr("| open/twice | the second open was not answered |"));
  EXPECT_THAT(text, HasSubstr("| Test 1 | 2 of 2 | 1 |"));
}

TEST(Markdown, NamesProtocolRoleAndPeer) {
  const Results results = sample_results();
  const Gate gate = sample_gate(results);
  Output out = Output::to_memory();
  write_markdown(
      Report{.results = results, .gate = gate, .version = "1.2.3", .subject = "Test, server: tcp://192.0.2.1:7175"},
      out);
  EXPECT_TRUE(std::string(out.text()).starts_with("## wirelaw: Test, server\\: tcp\\://192.0.2.1\\:7175\n"))
      << out.text();
}

// One rule and one case of each verdict: the columns add up to the first.
TEST(Markdown, CountsAddUp) {
  Results results = sample_results();
  results.rules.clear();
  results.cases.clear();
  for (int verdict = 0; verdict <= static_cast<int>(Verdict::warned); ++verdict) {
    results.rules.push_back({.rule = &kBroken, .verdict = static_cast<Verdict>(verdict), .reason = {}});
    results.cases.push_back({.id = "open/twice",
                             .protocol = "test",
                             .purpose = {},
                             .rules = {},
                             .verdict = static_cast<Verdict>(verdict),
                             .reason = {}});
  }
  std::istringstream lines(written(write_markdown, results, sample_gate(results)));
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| rules |") && !line.starts_with("| cases |")) continue;
    ++rows;
    std::istringstream cells(line.substr(line.find('|', 2) + 1));
    std::vector<int> counts;
    for (std::string cell; std::getline(cells, cell, '|');) counts.push_back(std::stoi(cell));
    EXPECT_EQ(counts.front(), static_cast<int>(Verdict::warned) + 1);
    EXPECT_EQ(std::accumulate(counts.begin() + 1, counts.end(), 0), counts.front()) << line;
  }
  EXPECT_EQ(rows, 2u);
}

// --- JUnit: the elements, attributes and their order that Jenkins' xUnit plugin and others take

using Names = std::vector<std::string>;
struct Allowed {
  std::string element;
  Names attributes, children;  // children in this order
};
const std::vector<Allowed> kJunit = {
    {"testsuites", {"name", "time", "tests", "failures", "disabled", "errors"}, {"testsuite"}},
    {"testsuite",
     {"name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"},
     {"properties", "testcase", "system-out", "system-err"}},
    {"properties", {}, {"property"}},
    {"property", {"name", "value"}, {}},
    {"testcase",
     {"name", "assertions", "time", "classname", "status"},
     {"skipped", "error", "failure", "system-out", "system-err"}},
    {"skipped", {"message", "type"}, {}},
    {"error", {"message", "type"}, {}},
    {"failure", {"message", "type"}, {}},
    {"system-out", {}, {}},
    {"system-err", {}, {}}};

void expect_allowed(const pugi::xml_node& node) {
  const auto allowed = std::ranges::find(kJunit, std::string(node.name()), &Allowed::element);
  ASSERT_NE(allowed, kJunit.end()) << node.name();
  for (const pugi::xml_attribute& one : node.attributes()) {
    EXPECT_THAT(allowed->attributes, ::testing::Contains(std::string(one.name()))) << node.name();
    if (std::string_view(one.name()) == "time") {
      EXPECT_THAT(one.value(), ::testing::MatchesRegex("[0-9]+\\.[0-9][0-9][0-9]"));
    }
  }
  std::ptrdiff_t before = 0;
  for (const pugi::xml_node& one : node.children()) {
    if (one.type() != pugi::node_element) continue;
    const auto place = std::ranges::find(allowed->children, std::string(one.name())) - allowed->children.begin();
    EXPECT_GE(place, before) << one.name() << " in " << node.name();
    EXPECT_LT(place, static_cast<std::ptrdiff_t>(allowed->children.size())) << one.name() << " in " << node.name();
    before = place;
    expect_allowed(one);
  }
}

// Expects that the counts of an element match the tests in it.
void expect_counted(const pugi::xml_node& node) {
  const auto count = [&](const char* query) { return node.select_nodes(query).size(); };
  EXPECT_EQ(node.attribute("tests").as_ullong(), count(".//testcase"));
  EXPECT_EQ(node.attribute("failures").as_ullong(), count(".//testcase/failure"));
  EXPECT_EQ(node.attribute("errors").as_ullong(), count(".//testcase/error"));
  if (node.attribute("skipped")) {
    EXPECT_EQ(node.attribute("skipped").as_ullong(), count(".//testcase/skipped"));
  }
}

TEST(Junit, HasOnlyWhatItsReadersTake) {
  Results results = sample_results();
  results.findings.push_back(sample_finding(Severity::warning));
  results.runs.push_back({.file = "run.pcapng", .rules = results.rules, .cases = results.cases});
  for (const RunEnd end : {RunEnd::complete, RunEnd::peer_lost, RunEnd::input_unreadable}) {
    const Gate gate = sample_gate(results, end);
    const RunProvenance provenance{.command = {"wirelaw", "check"},
                                   .started = "a",
                                   .ended = "b",
                                   .machine = "c",
                                   .files = {{.name = "a.pcap", .sha256 = "00", .why = {}}}};
    Output out = Output::to_memory();
    write_junit(Report{.results = results, .gate = gate, .version = "1.2.3", .provenance = &provenance}, out);
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(std::string(out.text()).c_str()));
    ASSERT_STREQ(document.document_element().name(), "testsuites");
    expect_allowed(document.document_element());
    expect_counted(document.document_element());
    for (const pugi::xml_node& suite : document.document_element().children()) expect_counted(suite);
  }
}

TEST(Markdown, TakesNothingForMarkup) {
  EXPECT_EQ(in_markdown("a|b<c>[d](e)`f`*g*&h\ni"), "a\\|b\\<c\\>\\[d\\]\\(e\\)\\`f\\`\\*g\\*&amp;h\\\\ni");
}

}  // namespace
}  // namespace wirelaw
