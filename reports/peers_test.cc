// SPDX-License-Identifier: Apache-2.0
#include "reports/peers.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include <filesystem>
#include <regex>

#include "reports/json.h"
#include "reports/peers_html.h"
#include "reports/peers_matrix.h"
#include "reports/sample_results_test.h"

namespace wirelaw {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

PeerCause doubling(std::vector<PeerSign> shown_by) {
  return {.id = "doubling",
          .title = "One becomes two",
          .severity = "minor",
          .symptom = "Two came.",
          .specification = "One is one.",
          .shown_by = std::move(shown_by)};
}

// The frames show that the finding of sample_results() is in its case open/twice.
PeerList sample_list(std::vector<PeerCause> causes, const Results& results = sample_results(),
                     std::vector<PeerWarning> warnings = {}) {
  const Gate gate = gate_of(results, FailOn::must, RunEnd::complete, nullptr);
  Results in_frames = results;
  for (CaseResult& one : in_frames.cases) one.last_frame = one.first_frame > 0 ? 9 : 0;
  PeerRun run{.version = "1.0",
              .protocol = "test",
              .role = "responder",
              .how = "By hand.",
              .command = "run it",
              .result_file = "r/result.json",
              .capture = "r/r.pcapng",
              .stability_file = {},
              .result = *parse_result("r.json", written(write_json, in_frames, gate), ""),
              .repeated = {}};
  PeerPage page{.id = "p",
                .name = "A peer",
                .setup = {"Here."},
                .causes = std::move(causes),
                .warnings = std::move(warnings),
                .runs = {std::move(run)}};
  return {.setup = {"Everywhere."}, .peers = {std::move(page)}};
}

std::string page_of(const PeerList& list) {
  Output out = Output::to_memory();
  write_peer(list.peers.front(), out);
  return out.text();
}

Results warned_too() {
  Results results = sample_results();
  Finding warned = results.findings.front();
  warned.severity = Severity::warning;
  warned.actual = "1, or so";
  results.findings.insert(results.findings.begin(), warned);
  return results;
}

TEST(Peers, ACauseHasItsEvidenceItsRulesItsRunsAndItsCommand) {
  const PeerList list = sample_list({doubling({{"TEST-1-1", "open/*", ""}})});
  EXPECT_THAT(faults_of(list, false), IsEmpty());
  EXPECT_THAT(page_of(list),
              AllOf(HasSubstr("### 1. One becomes two"), HasSubstr("*minor.* **Symptom.** Two came."),
                    HasSubstr("**Specification.** One is one."),
                    HasSubstr("frame 7 of [r/r.pcapng](r/r.pcapng), case `open/twice`: TEST-1-1 expected 1; actual "
                              "\\\\x1b\\[31m2; octet 4 of the message: `ab01`."),
                    HasSubstr("**Rules.** TEST-1-1 (MUST, Test 1)."), HasSubstr("- r: 1 finding; cases `open/twice`"),
                    HasSubstr("**Reproduce.** `run it --case 'open/twice'`")));
}

TEST(Peers, WhatIsShownOfAFailureIsNoWarningOfItsRule) {
  const PeerList list = sample_list({doubling({{"TEST-1-1", "open/*", ""}})}, warned_too(),
                                    {{"It may be.", {{"TEST-1-1", "", "1, or so"}}}});
  EXPECT_THAT(faults_of(list, false), IsEmpty());
  const std::string page = page_of(list);
  EXPECT_THAT(page.substr(0, page.find("## Appendix")), Not(HasSubstr("or so")));
  EXPECT_THAT(page, HasSubstr("- **TEST-1-1**: It may be. (r 1, frame 7)"));
}

TEST(Peers, AFailureOrAWarningThatNothingExplainsIsNamed) {
  EXPECT_THAT(faults_of(sample_list({}, warned_too()), false),
              ElementsAre(HasSubstr("r: the warning of TEST-1-1 in open/twice (actual 1, or so) is not explained"),
                          HasSubstr("r: the failure of TEST-1-1 in open/twice")));
}

TEST(Peers, AFailureIsExplainedOnce) {
  PeerCause other = doubling({{"TEST-1-1", "", "*2"}});
  other.id = "other";
  EXPECT_THAT(faults_of(sample_list({doubling({{"TEST-1-1", "open/*", ""}}), other}), false),
              ElementsAre(HasSubstr("is explained 2 times")));
}

// The same rule in another case is another finding.
TEST(Peers, ACauseIsOfFindingsAndNotOfARule) {
  EXPECT_THAT(faults_of(sample_list({doubling({{"TEST-1-1", "close/*", ""}})}), false),
              ElementsAre(HasSubstr("is not explained"), HasSubstr("\"One becomes two\" should be shown by TEST-1-1 in "
                                                                   "close/*, but no run has that")));
  const auto alone = parse_peer("p.json", R"({"schema":"wirelaw-peer/1","id":"p","name":"P","warnings":[],"causes":[
      {"id":"a","title":"b","severity":"minor","symptom":"c","specification":"d","shown_by":[{"rule":"TEST-1-1"}]}]})");
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error(), HasSubstr("a sign has only the rule TEST-1-1"));
}

TEST(Peers, WhatNoRunShowsIsLeftOutOfAPartOfTheRuns) {
  PeerList list = sample_list({doubling({{"TEST-1-1", "open/*", ""}}), doubling({{"TEST-1-2", "open/*", ""}})});
  EXPECT_THAT(faults_of(list, false), ElementsAre(HasSubstr("TEST-1-2")));
  EXPECT_THAT(faults_of(list, true), IsEmpty());
  leave_out_what_nothing_shows(list);
  EXPECT_EQ(list.peers.front().causes.size(), 1u);
  PeerCause seldom = doubling({{"TEST-1-2", "open/*", ""}});
  seldom.seldom = true;
  EXPECT_THAT(faults_of(sample_list({doubling({{"TEST-1-1", "open/*", ""}}), seldom}), false), IsEmpty());
}

TEST(Peers, ACaseInWhichThePeerDiesOrThatFailsWithoutAFindingNeedsACause) {
  Results results = sample_results();
  results.findings.clear();
  const PeerCause by_case = doubling({{"", "open/twice", ""}});
  EXPECT_THAT(faults_of(sample_list({}, results), false),
              ElementsAre("r: case open/twice (the second open was not answered) is not explained"));
  EXPECT_THAT(faults_of(sample_list({by_case}, results), false), IsEmpty());
  results.cases[0].verdict = Verdict::inconclusive;
  EXPECT_THAT(faults_of(sample_list({}, results), false), IsEmpty());
  results.cases[0].reason = "the peer died: killed by signal 11";
  EXPECT_THAT(faults_of(sample_list({}, results), false), ElementsAre(HasSubstr("the peer died")));
  const PeerList list = sample_list({by_case}, results);
  EXPECT_THAT(faults_of(list, false), IsEmpty());
  EXPECT_THAT(page_of(list), HasSubstr("case `open/twice`: the peer died: killed by signal 11."));
}

TEST(Peers, ReferencesResolve) {
  PeerCause cause = doubling({{"TEST-1-1", "open/*", ""}});
  cause.symptom = "See [it](#doubling), TEST-1-2, `open/never` and reports/peers.h.";
  EXPECT_THAT(faults_of(sample_list({cause}), false), IsEmpty());
  cause.symptom = "See [it](#gone), TEST-1-9, and `open/always`.";
  EXPECT_THAT(faults_of(sample_list({cause}), false),
              ElementsAre(HasSubstr("\"#gone\" is referred to, but does not exist"), HasSubstr("TEST-1-9"),
                          HasSubstr("open/always")));
}

TEST(Peers, HowOftenAFailureComesIsSaidWhereItsRepetitionsAreKept) {
  PeerList list = sample_list({doubling({{"TEST-1-1", "open/*", ""}})});
  list.peers[0].runs[0].stability_file = "r/stability.json";
  list.peers[0].runs[0].repeated = {{.id = "open/twice", .failed = 2, .of = 3}};
  EXPECT_THAT(page_of(list),
              AllOf(HasSubstr("`open/twice` (the case failed in 2 of 3 runs)"), HasSubstr("(r/stability.json)")));
}

// A second run, of another version, whose case has this verdict and no findings.
PeerList with_later_version(Verdict verdict) {
  PeerList list = sample_list({doubling({{"TEST-1-1", "open/*", ""}})});
  Results later = sample_results();
  later.findings.clear();
  later.cases[0].verdict = verdict;
  PeerRun run = sample_list({}, later).peers[0].runs[0];
  run.version = "2.0";
  run.result_file = "later/result.json";
  list.peers[0].runs.push_back(std::move(run));
  return list;
}

TEST(Peers, ACauseSaysWhichVersionsWereTriedAndDoNotShowIt) {
  EXPECT_THAT(page_of(with_later_version(Verdict::pass)), HasSubstr("**Versions.** 1.0. Tried, but not seen: 2.0.\n"));
}

TEST(Peers, AVersionWhoseCaseCameToNothingWasNotTried) {
  EXPECT_THAT(page_of(with_later_version(Verdict::inconclusive)), HasSubstr("**Versions.** 1.0.\n"));
}

TEST(Peers, OneVersionIsNotComparedWithOthers) {
  EXPECT_THAT(page_of(sample_list({doubling({{"TEST-1-1", "open/*", ""}})})), Not(HasSubstr("Versions")));
}

TEST(Peers, ThePageOfAllLinksToThoseOfEach) {
  Output out = Output::to_memory();
  write_peers(sample_list({doubling({{"TEST-1-1", "open/*", ""}})}), "pages/", out);
  EXPECT_THAT(out.text(),
              AllOf(HasSubstr("- minor: [One becomes two](pages/p.md#doubling)"), HasSubstr("Everywhere."),
                    HasSubstr("| r | [A peer](pages/p.md) | 1.0 | test | responder | 1 | 1 | 0 | 1 | 0 | 1 |")));
}

// Two runs of one version in one role are one cell; a rule that fails in either has failed. Other roles and versions
// have separate cells.
TEST(Peers, TheFrontPageHasACellForEachVersionAndRole) {
  PeerList list = sample_list({doubling({{"TEST-1-1", "open/*", ""}})});
  std::vector<PeerRun>& runs = list.peers[0].runs;
  runs.push_back(runs[0]);
  runs[1].result.findings.clear();
  for (ResultFile::Rule& rule : runs[1].result.rules) rule.verdict = rule.id == "TEST-2-1" ? "pass" : "not-exercised";
  runs.push_back(runs[1]);
  runs[2].role = "initiator";
  runs[2].result.cases.clear();
  runs.push_back(runs[2]);
  runs[3].version = "2.0";
  runs[3].result.rules.clear();
  const PeersMatrix matrix = peers_matrix_of(list);
  ASSERT_THAT(matrix.columns, ElementsAre(PeersColumn{"test", "responder"}, PeersColumn{"test", "initiator"}));
  ASSERT_EQ(matrix.rows.size(), 2u);
  EXPECT_EQ(matrix.rows[0].cells[0].runs.size(), 2u);
  EXPECT_EQ(matrix.rows[0].cells[0].judged, 3u);
  EXPECT_EQ(matrix.rows[0].cells[0].failed, 1u);
  EXPECT_EQ(matrix.rows[0].cells[0].word(), "minor");
  EXPECT_EQ(matrix.rows[0].cells[1].word(), "pass");
  EXPECT_TRUE(matrix.rows[1].cells[0].runs.empty());
  EXPECT_EQ(matrix.rows[1].cells[1].word(), "nothing");
  Output out = Output::to_memory();
  write_peers(list, "pages/", out);
  EXPECT_THAT(out.text(),
              HasSubstr("| | test<br>responder | test<br>initiator |\n|---|---|---|\n"
                        "| [**A peer**](pages/p.md)<br>1.0 | **1 minor**<br>2 of 3 rules | **pass**<br>1 of 1 "
                        "rules |\n| [**A peer**](pages/p.md)<br>2.0 | | **nothing**<br>0 of 0 rules |\n"));
  list.peers[0].causes[0].severity = "withdrawn";
  EXPECT_EQ(peers_matrix_of(list).rows[0].cells[0].word(), "pass") << "what is withdrawn is not counted";
}

TEST(Peers, TheFrontPageInHtmlEscapesWhatItShows) {
  PeerList list = sample_list({doubling({{"TEST-1-1", "open/*", ""}})});
  list.peers[0].name = "<b>";
  list.peers[0].runs[0].version = "\"><script>";
  Output out = Output::to_memory();
  write_peers_html(list, "pages/", "1.2.3", out);
  EXPECT_THAT(out.text(),
              AllOf(HasSubstr("<a href=\"pages/p.md\">&lt;b&gt;</a>"), HasSubstr("1 minor"), HasSubstr("1 of 2 rules"),
                    HasSubstr("pages/p.md#doubling"), Not(HasSubstr("\"><script>"))));
}

TEST(Peers, WhatIsNoPeerIsRefusedInOneLine) {
  for (const std::string json :
       {"", "[]", "{}", R"({"schema":"wirelaw-peer/2"})", R"({"schema":"wirelaw-peer/1"})",
        R"({"schema":"wirelaw-peer/1","id":"a","name":"b","causes":{},"warnings":[]})",
        R"({"schema":"wirelaw-peer/1","id":"a","name":"b","causes":[1],"warnings":[]})",
        R"({"schema":"wirelaw-peer/1","id":"a","name":"b","setup":[1],"causes":[],"warnings":[]})",
        R"({"schema":"wirelaw-peer/1","id":"a","name":"b","causes":[],"warnings":[{"sentence":"c"}]})",
        R"({"schema":"wirelaw-peer/1","id":"a","name":"b","causes":[],"warnings":[{"sentence":"c","shown_by":[{}]}]})",
        R"({"schema":"wirelaw-peer/1","id":"a","name":"b","warnings":[],"causes":[{"id":"a","title":"b","symptom":"c",
            "severity":"bad","specification":"d","shown_by":[]}]})"}) {
    const auto peer = parse_peer("p.json", json);
    ASSERT_FALSE(peer) << json;
    EXPECT_THAT(peer.error(), HasSubstr("p.json: "));
    EXPECT_EQ(peer.error().find('\n'), std::string::npos);
  }
}

// --- the pages of this tree

std::string text_of(const std::string& file) {
  const auto text = read_file(std::string(WIRELAW_SOURCE_DIR) + "/" + file);
  EXPECT_TRUE(text) << file;
  return text.value_or("");
}

PeerList list_of_tree() {
  auto list = read_peers(std::string(WIRELAW_SOURCE_DIR) + "/reports/peers/peers.json");
  EXPECT_TRUE(list) << list.error();
  return list.value_or(PeerList{});
}

TEST(Peers, ThePagesOfThisTreeAreThoseOfItsResults) {
  const PeerList list = list_of_tree();
  EXPECT_THAT(faults_of(list, false), IsEmpty());
  Output all = Output::to_memory();
  write_peers(list, "peers/", all);
  EXPECT_TRUE(all.text() == text_of("reports/PEERS.md"))
      << "wirelaw peers reports/peers/peers.json -o reports/PEERS.md";
  for (const PeerPage& peer : list.peers) {
    Output out = Output::to_memory();
    write_peer(peer, out);
    EXPECT_TRUE(out.text() == text_of("reports/peers/" + peer.id + ".md"))
        << "wirelaw peers reports/peers/peers.json --peer " << peer.id << " -o reports/peers/" << peer.id << ".md";
  }
}

// Paths of one machine are useless for readers.
TEST(Peers, ResultsThatAreKeptNameNoPathOfAMachine) {
  std::size_t kept = 0;
  for (const auto& folder : std::filesystem::directory_iterator(WIRELAW_SOURCE_DIR "/reports/peers")) {
    if (!folder.is_directory()) continue;
    const std::string text = text_of("reports/peers/" + folder.path().filename().string() + "/result.json");
    EXPECT_FALSE(text.empty()) << folder.path();
    EXPECT_THAT(text, testing::Not(HasSubstr("\"name\":\"/"))) << folder.path();
    ++kept;
  }
  EXPECT_GT(kept, 0u);
}

// "(EFA/A-29)" is a ruling on the page of the peer's protocol.
TEST(Peers, InterpretationsThatThePagesCiteAreThere) {
  const std::regex cited("\\(([A-Z]+/[A-Z]-?[0-9]+)\\)");
  for (const PeerPage& peer : list_of_tree().peers) {
    const std::string interpretations = text_of("conformance/" + peer.runs.front().protocol + "/INTERPRETATIONS.md");
    const std::string page = text_of("reports/peers/" + peer.id + ".md");
    for (std::sregex_iterator one(page.begin(), page.end(), cited), end; one != end; ++one) {
      const std::string id = (*one)[1].str();
      EXPECT_THAT(interpretations, HasSubstr("| " + id + " |")) << peer.id;
    }
  }
}

TEST(Peers, AFileThatIsMissingIsNamed) {
  EXPECT_THAT(read_peers("/nonexistent/peers.json").error(), HasSubstr("/nonexistent/peers.json: cannot be read"));
}

}  // namespace
}  // namespace wirelaw
