// SPDX-License-Identifier: Apache-2.0
#include "reports/html/html.h"

#include <gmock/gmock.h>

#include "reports/html/conversation.h"
#include "reports/html/ladder.h"
#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/sample_results_test.h"

namespace wirelaw {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)>\"'&";

ShownTraffic sample_evidence() {
  ShownFlow flow{.id = "udp 192.0.2.1:1 - 192.0.2.2:2", .a = "192.0.2.1:1", .b = "192.0.2.2:2"};
  for (std::uint64_t n = 1; n <= 12; ++n)
    flow.messages.push_back({.frame = n + 4,
                             .number = n,
                             .time_ns = static_cast<std::int64_t>(n) * 1000,
                             .from_a = n % 2 == 1,
                             .protocol = "test",
                             .summary = "MESSAGE " + std::to_string(n),
                             .wire_length = 8});
  ShownMessage& wrong = flow.messages[2];  // frame 7
  wrong.octets = {0x00, 0x01, 0x02, 0x03, 0xab, 0x01, 0x3c, 0x41};
  wrong.fields = {{"test.header", "all", 0, 8}, {"test.field", "0xab01", 4, 2}, {"test.other", "3", 3, 1}};
  return {.inputs = {{.flows = {flow}}}, .input_of_finding = {0}, .missing = {}};
}

std::string page_of(const Results& results, const ShownTraffic* evidence = nullptr, RunEnd end = RunEnd::complete) {
  const Gate gate = gate_of(results, FailOn::must, end, nullptr);
  Output out = Output::to_memory();
  write_html(Report{results, gate, "1.2.3", {}, evidence}, out);
  return out.text();
}

TEST(Html, SaysWhatItComesToAndWhatFailedFirst) {
  const std::string page = page_of(sample_results());
  EXPECT_THAT(page, HasSubstr("<p class=\"verdict bad\">FAIL: 1 MUST rule and 1 case failed (exit status 1)</p>"));
  EXPECT_LT(page.find("What failed first"), page.find("Coverage by section"));
  EXPECT_THAT(page, HasSubstr("Counted: rules judged, of those that a capture, a case or the device can show."));
  EXPECT_THAT(page, HasSubstr("<a href=\"#rule-TEST-1-1\">TEST-1-1</a>"));
  EXPECT_THAT(page, HasSubstr("id=\"rule-TEST-1-1\""));
  EXPECT_THAT(page, HasSubstr("<td>Test 1</td><td class=\"n\">2 of 2</td><td class=\"n\">1</td>"));
}

// A reader of several reports can distinguish them by their titles.
TEST(Html, NamesItsSubject) {
  const Results results = sample_results();
  const Gate gate = gate_of(results, FailOn::must, RunEnd::complete, nullptr);
  Output out = Output::to_memory();
  write_html(Report{.results = results, .gate = gate, .version = "1", .subject = "RAMCloud RPC, server: <b>"}, out);
  EXPECT_THAT(out.text(), HasSubstr("<title>RAMCloud RPC, server: &lt;b&gt; (Wirelaw report)</title>"));
  EXPECT_THAT(out.text(), HasSubstr("<h1 class=\"wrap\">Conformance report: RAMCloud RPC, server: &lt;b&gt;</h1>"));
}

std::size_t count_of(const std::string& page, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = page.find(what, at)) != std::string::npos; ++at) ++count;
  return count;
}

// Every link within the page has exactly one target.
void expect_links_to_lead_somewhere(const std::string& page) {
  constexpr std::string_view kLink = "href=\"#";
  std::size_t links = 0;
  for (std::size_t at = 0; (at = page.find(kLink, at)) != std::string::npos; ++links) {
    at += kLink.size();
    const std::string anchor = page.substr(at, page.find('"', at) - at);
    EXPECT_EQ(count_of(page, "id=\"" + anchor + "\""), 1u) << anchor;
  }
  EXPECT_GT(links, 6u);
}

// Returns a recorded run in which one rule fails in its frames as well, and two others only in its cases.
Results recorded_results() {
  Results results = sample_results();
  results.cases.clear();
  results.rules[1].verdict = Verdict::pass;
  RecordedRun run{.file = "a.pcap", .end = "complete"};
  for (const Rule* rule : {&kBroken, &kAdvised, &kIdle}) {
    run.rules.push_back({.rule = rule, .verdict = Verdict::fail, .exercised = 1, .failed = 1, .reason = {}});
    Finding finding = sample_finding(Severity::violation);
    finding.rule = rule;
    finding.occasion.test_case = "open/twice";
    run.findings.push_back(finding);
  }
  run.cases = sample_results().cases;
  results.runs = {run, run};
  return results;
}

TEST(Html, CountsWhatOnlyARecordedRunFailedAsItsBannerDoes) {
  const std::string page = page_of(recorded_results());
  EXPECT_THAT(page, HasSubstr("FAIL: 2 MUST rules and 1 case failed; below --fail-on must: 1 SHOULD rule"));
  EXPECT_THAT(page, HasSubstr("<li>rules <b class=\"v v-fail\">fail</b> <b>3</b></li>"));
  EXPECT_THAT(page, HasSubstr("<li>cases <b class=\"v v-fail\">fail</b> <b>1</b></li>"));
  const std::size_t first = page.find("What failed first");
  const std::string list = page.substr(first, page.find("</section>", first) - first);
  EXPECT_EQ(count_of(list, "<li "), 3u);
  const std::size_t table = page.find("<section id=\"rules\"");
  EXPECT_EQ(count_of(page.substr(table, page.find("</section>", table) - table), "<tr data-v=\"fail\">"), 3u);
  expect_links_to_lead_somewhere(page);
}

TEST(Html, LinksLeadSomewhere) {
  expect_links_to_lead_somewhere(page_of(sample_results()));
  Results many = recorded_results();
  many.findings.clear();  // rules that fail, with findings only in the recorded run
  expect_links_to_lead_somewhere(page_of(many));
  many.runs.clear();  // rules that fail without a finding
  const std::string page = page_of(many);
  EXPECT_THAT(page, Not(HasSubstr("href=\"#rule-")));
}

TEST(Html, ShowsAFindingWithItsConversationAndItsOctets) {
  const ShownTraffic evidence = sample_evidence();
  const std::string page = page_of(sample_results(), &evidence);
  EXPECT_THAT(page, HasSubstr("<span>192.0.2.1:1</span><span>192.0.2.2:2</span>"));
  EXPECT_THAT(
      page,
      HasSubstr("<li class=\"r x\"><span class=\"t\">7 · +0.000002</span><span class=\"m\">test MESSAGE 3</span>"));
  EXPECT_THAT(page, HasSubstr("<li class=\"l\"><span class=\"t\">6 "));
  EXPECT_THAT(page, HasSubstr("<mark>ab 01</mark>"));
  EXPECT_THAT(page, HasSubstr("<dt><code>test.field</code></dt>"));
}

TEST(Html, MarksWrongOctetsAndTheRestOfTheirField) {
  std::string page;
  const OctetBuffer octets{0x00, 0x01, 0x02, 0x03, 0xab, 0x01, 0x3c, 0x41};
  const std::vector<ShownField> fields{{"test.field", "0xab01", 4, 4}, {"test.other", "3", 3, 1}};
  html::put_octets(page, octets, 0, 4, 2, fields);
  EXPECT_THAT(page, HasSubstr("0000  00 01 02 03 <mark>ab 01</mark> <u>3c 41</u>"));
  EXPECT_THAT(page, HasSubstr("&lt;A"));
  EXPECT_THAT(page, HasSubstr("<dt><code>test.field</code></dt><dd><code>0xab01</code>"));
  EXPECT_THAT(page, Not(HasSubstr("test.other")));
}

TEST(Html, ShowsALongMessageAroundWhatIsWrong) {
  std::string page;
  html::put_octets(page, OctetBuffer(4096), 0, 2048, 1, {});
  EXPECT_THAT(page, HasSubstr("0800  <mark>00</mark>"));
  EXPECT_THAT(page, HasSubstr("…\n"));
  EXPECT_THAT(page, Not(HasSubstr("0400  ")));
  EXPECT_LT(page.size(), 2000u);
}

TEST(Html, CountsTheMessagesBetweenThoseThatAreShown) {
  ShownFlow flow = sample_evidence().inputs[0].flows[0];
  flow.messages.erase(flow.messages.begin() + 3, flow.messages.begin() + 6);
  std::string page;
  html::put_ladder(page, flow, flow.messages);
  EXPECT_THAT(page, HasSubstr("<li class=\"gap\">3 messages not shown</li>"));
}

TEST(Html, ShowsACaseWithWhatWasExpectedAndWhatCame) {
  const ShownTraffic evidence = sample_evidence();
  Results results = sample_results();
  results.cases[0].first_frame = 5;
  results.cases[0].last_frame = 6;
  const std::string page = page_of(results, &evidence);
  EXPECT_THAT(page, HasSubstr("<details data-v=\"fail\" id=\"case-open/twice\">"));
  EXPECT_THAT(page, HasSubstr("fail: the second open was not answered"));
  EXPECT_THAT(page, HasSubstr("<p><b>TEST-1-1</b> MUST One is one."));
  const std::string of_case = page.substr(page.find("id=\"case-open/twice\""));
  EXPECT_THAT(of_case, HasSubstr("MESSAGE 1"));
  EXPECT_THAT(of_case, HasSubstr("MESSAGE 2"));
  EXPECT_THAT(of_case, Not(HasSubstr("MESSAGE 3")));
}

TEST(Html, CountsNoRulesOfProtocolsThatNothingWasSeenOf) {
  static constinit const Rule kElsewhere{"OTHER-1-1",       Level::must,      Role::any, "Other 1",
                                         Observable::trace, Evidence::octets, "Four."};
  Results results = sample_results();
  const std::string before = page_of(results, nullptr);
  const std::string tile = "<li>rules <b class=\"v v-not-exercised\">not-exercised</b> <b>1</b></li>";
  EXPECT_THAT(before, HasSubstr(tile));
  results.rules.push_back({.rule = &kElsewhere, .verdict = Verdict::not_exercised, .reason = {}});
  EXPECT_THAT(page_of(results, nullptr), HasSubstr(tile));
}

// Text from a peer, a file's name or a case can contain anything.
TEST(Html, EscapesEverything) {
  Results results = sample_results();
  ShownTraffic evidence = sample_evidence();
  results.inputs[0].name = results.inputs[0].why = kHostile;
  results.findings[0].expected = results.findings[0].actual = results.findings[0].explanation = kHostile;
  results.findings[0].sender = kHostile;
  results.cases[0].reason = results.cases[0].purpose = results.cases[0].id = kHostile;
  results.flows[0].note = results.flows[0].id = kHostile;
  results.problems[0].message = results.problems[0].file = kHostile;
  results.rules[2].reason = kHostile;
  ShownFlow& flow = evidence.inputs[0].flows[0];
  flow.a = flow.b = kHostile;
  for (ShownMessage& one : flow.messages) one.summary = one.protocol = kHostile;
  for (ShownField& one : flow.messages[2].fields) one.name = one.value = kHostile;
  const std::string page = page_of(results, &evidence);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\"'&\"")));
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 1u);
  EXPECT_GT(page.find("alert(1)"), page.find("<body>"));
}

TEST(Html, NeedsNothingFromANetwork) {
  const ShownTraffic evidence = sample_evidence();
  const std::string page = page_of(sample_results(), &evidence);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* loads : {" src=", "<link", "@import", "url(", "<iframe", "<img", "fetch("})
    EXPECT_THAT(page, Not(HasSubstr(loads)));
}

TEST(Html, OfTheSameResultsIsTheSameAndOfNoneIsAPage) {
  const ShownTraffic evidence = sample_evidence();
  EXPECT_EQ(page_of(sample_results(), &evidence), page_of(sample_results(), &evidence));
  const std::string empty = page_of({});
  EXPECT_THAT(empty, HasSubstr("No rule was exercised."));
  EXPECT_THAT(empty, HasSubstr("</html>"));
}

// A run of 1000 cases with long conversations.
TEST(Html, StaysBelowTenMegabytes) {
  ShownTraffic evidence = sample_evidence();
  Results results = sample_results();
  ShownFlow& flow = evidence.inputs[0].flows[0];
  const std::string summary(150, 'x');
  const CaseResult sample = results.cases[0];
  results.cases.clear();
  flow.messages.clear();
  for (std::uint64_t n = 0; n < 60'000; ++n)
    flow.messages.push_back(
        {.frame = n + 1, .number = n + 1, .protocol = "test", .summary = summary, .wire_length = 8});
  for (std::uint64_t n = 0; n < 1000; ++n) {
    CaseResult& one = results.cases.emplace_back(sample);
    one.id = "case/" + std::to_string(n);
    one.verdict = n % 2 == 0 ? Verdict::pass : Verdict::fail;
    one.first_frame = 60 * n + 1;
    one.last_frame = 60 * n + 60;
  }
  const std::string page = page_of(results, &evidence);
  EXPECT_LT(page.size(), 10'000'000u);
  EXPECT_THAT(page, HasSubstr("id=\"case-case/999\""));
  EXPECT_THAT(page, HasSubstr("not every conversation is shown"));
}

}  // namespace
}  // namespace wirelaw
