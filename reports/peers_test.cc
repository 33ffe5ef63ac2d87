// SPDX-License-Identifier: Apache-2.0
#include "reports/peers.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include "reports/json.h"
#include "reports/sample_results_test.h"

namespace wirelaw {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

PeerResult sample_peer(std::vector<std::pair<std::string, std::string>> explained,
                       const Results& results = sample_results()) {
  const Gate gate = gate_of(results, FailOn::must, RunEnd::complete, nullptr);
  return {{.name = "a|b",
           .version = "1.0",
           .protocol = "test",
           .role = "responder",
           .how = "By hand.",
           .result = "r.json",
           .capture = "r.pcapng",
           .explained = std::move(explained)},
          *parse_result("r.json", written(write_json, results, gate), "")};
}

std::string page_of(const std::vector<PeerResult>& peers) {
  Output out = Output::to_memory();
  write_peers(peers, out);
  return out.text();
}

TEST(Peers, APeerHasItsCountsAndEachFailureItsSentenceAndEvidence) {
  const std::vector<PeerResult> peers{sample_peer({{"TEST-1-1", "One became two."}})};
  EXPECT_THAT(unexplained(peers), IsEmpty());
  const std::string page = page_of(peers);
  EXPECT_THAT(page, HasSubstr("| r.json | a\\|b | 1.0 | test | responder | 1 | 1 | 0 | 0 | 1 | 0 | 1 | 0 | 1 |\n"));
  EXPECT_THAT(page, HasSubstr("- **TEST-1-1** (MUST, Test 1), failed 1 of 5 times: One became two.\n"));
  EXPECT_THAT(page, HasSubstr("expected 1; actual \\\\x1b\\[31m2; frame 7, octet 4 of the message: `ab01`.\n"));
  EXPECT_THAT(page, HasSubstr("  Cases: `open/twice`.\n"));
  EXPECT_THAT(page, HasSubstr("capture: `r.pcapng`; by wirelaw 1.2.3.\n"));
}

TEST(Peers, AFailureWithoutASentenceIsNamed) {
  EXPECT_THAT(unexplained({sample_peer({})}), ElementsAre("a|b 1.0, responder: TEST-1-1 is not explained"));
  EXPECT_THAT(unexplained({sample_peer({{"TEST-1-1", ""}})}), ElementsAre(HasSubstr("is not explained")));
}

TEST(Peers, ASentenceThatNothingNeedsIsNamed) {
  EXPECT_THAT(unexplained({sample_peer({{"TEST-1-1", "One."}, {"TEST-1-2", "Two."}})}),
              ElementsAre("a|b 1.0, responder: TEST-1-2 is explained and has not failed"));
}

TEST(Peers, AWarningNeedsASentenceToo) {
  Results results = sample_results();
  results.rules[1].warned = 2;
  const std::vector<PeerResult> peers{sample_peer({{"TEST-1-1", "One."}, {"TEST-1-2", "Two."}}, results)};
  EXPECT_THAT(unexplained(peers), IsEmpty());
  EXPECT_THAT(page_of(peers), HasSubstr("- **TEST-1-2** (SHOULD, Test 1), warned of 2 of 5 times: Two.\n"));
}

TEST(Peers, AFailureIsNotShownByAWarning) {
  Results results = sample_results();
  Finding warned = results.findings.front();
  warned.severity = Severity::warning;
  warned.actual = "1, or so";
  results.findings.insert(results.findings.begin(), warned);
  const std::string page = page_of({sample_peer({{"TEST-1-1", "One became two."}}, results)});
  EXPECT_THAT(page, HasSubstr("expected 1; actual \\\\x1b\\[31m2"));
  EXPECT_THAT(page, Not(HasSubstr("or so")));
}

TEST(Peers, ACaseThatFailsWithoutAFailedRuleIsToldByItself) {
  Results results = sample_results();
  results.rules[0].verdict = Verdict::pass;
  EXPECT_THAT(unexplained({sample_peer({}, results)}), ElementsAre("a|b 1.0, responder: open/twice is not explained"));
  EXPECT_THAT(
      page_of({sample_peer({{"open/twice", "It dies."}}, results)}),
      HasSubstr("- case **open/twice** failed: It dies.\n  What the case says: the second open was not answered"));
}

TEST(Peers, WhereNothingFailedThePageSaysSo) {
  Results results = sample_results();
  results.rules[0].verdict = Verdict::pass;
  results.cases.clear();
  EXPECT_THAT(page_of({sample_peer({}, results)}), HasSubstr("\nNothing failed, and nothing was warned of.\n"));
  EXPECT_THAT(page_of({sample_peer({})}), Not(HasSubstr("Nothing failed")));
}

TEST(Peers, WhatIsNoListIsRefusedInOneLine) {
  for (const std::string json :
       {"", "[]", "{}", R"({"schema":"wirelaw-peers/2","peers":[]})", R"({"schema":"wirelaw-peers/1"})",
        R"({"schema":"wirelaw-peers/1","peers":[1]})", R"({"schema":"wirelaw-peers/1","peers":[{"name":"a"}]})",
        R"({"schema":"wirelaw-peers/1","peers":[{"name":"a","version":"1","protocol":"p","role":"r","how":"h",
            "result":"f","explained":[]}]})"}) {
    const auto peers = parse_peers("p.json", json);
    ASSERT_FALSE(peers) << json;
    EXPECT_THAT(peers.error(), HasSubstr("p.json: "));
    EXPECT_EQ(peers.error().find('\n'), std::string::npos);
  }
}

std::string text_of(const std::string& file) {
  const auto text = read_file(std::string(WIRELAW_SOURCE_DIR) + "/reports/" + file);
  EXPECT_TRUE(text);
  return text.value_or("");
}

TEST(Peers, ThePageOfThisTreeIsThatOfItsResults) {
  const auto peers = read_peers(std::string(WIRELAW_SOURCE_DIR) + "/reports/peers/peers.json");
  ASSERT_TRUE(peers) << peers.error();
  EXPECT_THAT(unexplained(*peers), IsEmpty());
  EXPECT_TRUE(page_of(*peers) == text_of("PEERS.md")) << "wirelaw peers reports/peers/peers.json -o reports/PEERS.md";
}

TEST(Peers, AResultThatIsMissingIsNamed) {
  EXPECT_THAT(read_peers("/nonexistent/peers.json").error(), HasSubstr("/nonexistent/peers.json: cannot be read"));
}

}  // namespace
}  // namespace wirelaw
