// SPDX-License-Identifier: Apache-2.0
// Output made from results: pages, differences, explanations, decoded messages.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/commands/program_test.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kViolating = WIRELAW_SOURCE_DIR "/corpora/ramcloud/violating/RAMCLOUD-ack-5.pcapng";
const std::string kGood = WIRELAW_SOURCE_DIR "/corpora/captures/ramcloud/ramcloud-cpp2016-open-single.pcap";

struct ResultsTest : ::testing::Test {
  ResultsTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~ResultsTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  // The page of these words of the command.
  std::string page_of(std::vector<std::string> words, int status, const Redirect& redirect = {}) const {
    words.insert(words.end(), {"--html", path("page.html")});
    const ProgramRun run = run_wirelaw(words, redirect);
    EXPECT_EQ(run.status, status) << run.out << run.err;
    return read_file(path("page.html"));
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("results_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ResultsTest, APageShowsTheConversationOfAFinding) {
  const std::string page = page_of({"check", "--complete", kViolating}, 1);
  EXPECT_THAT(page, HasSubstr("id=\"rule-RAMCLOUD-ack-5\""));
  EXPECT_THAT(page, HasSubstr("<ol class=\"lad\">"));
  EXPECT_THAT(page, HasSubstr(" x\"><span class=\"t\">"));
  EXPECT_THAT(page, HasSubstr("<mark>"));
  EXPECT_THAT(page, HasSubstr("<code>ramcloud."));
  EXPECT_EQ(page, page_of({"check", "--complete", kViolating}, 1));
}

// Each finding with the conversation of its own file, though their addresses are the same.
TEST_F(ResultsTest, APageOfSeveralCapturesKeepsThemApart) {
  const std::string other = WIRELAW_SOURCE_DIR "/corpora/ramcloud/violating/RAMCLOUD-session-6.pcapng";
  const std::string alone = page_of({"check", "--complete", other}, 1);
  const std::string both = page_of({"check", "--complete", path("none.pcap"), kGood, kViolating, other}, 1);
  const auto ladder = [](const std::string& page) {
    const std::size_t at = page.find("<ol class=\"lad\">", page.find("id=\"rule-RAMCLOUD-session-6\""));
    return page.substr(at, page.find("</ol>", at) - at);
  };
  EXPECT_GT(ladder(alone).size(), 100u);
  EXPECT_EQ(ladder(both), ladder(alone));
}

TEST_F(ResultsTest, JsonSaysOfWhatBuildItIs) {
  const std::string said = run_wirelaw({"--version"}).out;
  const auto tool = nlohmann::json::parse(run_wirelaw({"check", "--format", "json", kGood}).out)["tool"];
  EXPECT_THAT(said, HasSubstr(tool["version"].get<std::string>()));
  EXPECT_THAT(said, HasSubstr("commit " + tool["commit"].get<std::string>()));
  run_wirelaw({"check", "--format", "json", "-o", path("result.json"), kGood});
  EXPECT_EQ(nlohmann::json::parse(read_file(path("result.json")))["tool"], tool);
}

TEST_F(ResultsTest, APageOfStandardInputSaysWhatItLacks) {
  const std::string page = page_of({"check", "--complete", "-"}, 1, {.in = kViolating});
  EXPECT_THAT(page, HasSubstr("No conversations are shown: "));
  EXPECT_THAT(page, Not(HasSubstr("<ol class=\"lad\">")));
}

TEST_F(ResultsTest, APageOfARunShowsItsCases) {
  const std::vector<std::string> words{
      "test", "ramcloud", "memory:", "--seed", "1", "--deviate", "ack-staging-off-by-one", "--case", "ack/*"};
  const std::string page = page_of(words, 1);
  EXPECT_THAT(page, HasSubstr("id=\"case-ack/"));
  EXPECT_THAT(page, HasSubstr("SESSION_OPEN"));
  EXPECT_LT(page.find("<details data-v=\"fail\" id=\"case-"), page.find("<details data-v=\"pass\" id=\"case-"));
  EXPECT_EQ(page, page_of(words, 1));
  std::vector<std::string> recorded = words;
  recorded.insert(recorded.end(), {"--record", path("run.pcapng")});
  EXPECT_EQ(page, page_of(recorded, 1)) << "as the one that nobody keeps";
  EXPECT_THAT(page_of({"check", path("run.pcapng")}, 1), HasSubstr("Cases of the run that "));
}

TEST_F(ResultsTest, ReportsByNameGoBesideTheText) {
  const ProgramRun run = run_wirelaw(
      {"check", "--complete", kViolating, "--sarif", path("a.sarif"), "--markdown", path("a.md"), "--github"});
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("::error title=RAMCLOUD-ack-5 MUST,file="));
  EXPECT_THAT(run.out, HasSubstr("(exit status 1)\n"));
  EXPECT_THAT(read_file(path("a.sarif")), HasSubstr("\"version\": \"2.1.0\""));
  EXPECT_THAT(read_file(path("a.md")), HasSubstr("## wirelaw"));
  EXPECT_EQ(run_wirelaw({"check", kViolating, "--html", kViolating}).status, 2)
      << "nothing is written upon what is read";
  EXPECT_EQ(run_wirelaw({"check", kViolating, "--html", path("no/folder")}).status, 2);
}

TEST_F(ResultsTest, ProvenanceIsTheCommandAndWhatWasRead) {
  const ProgramRun run = run_wirelaw({"check", kGood, "--provenance", "--format", "json", "-o", path("p.json")});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto result = nlohmann::json::parse(read_file(path("p.json")));
  const auto& provenance = result["provenance"];
  EXPECT_EQ(provenance["command"][1], "check");
  EXPECT_EQ(provenance["files"][0]["name"], kGood);
  EXPECT_EQ(provenance["files"][0]["octets"], fs::file_size(kGood));
  EXPECT_EQ(provenance["files"][0]["sha256"].get<std::string>().size(), 64u);
  const ProgramRun piped = run_wirelaw({"check", "-", "--provenance", "--format", "json"}, {.in = kGood});
  EXPECT_THAT(piped.out, HasSubstr("\"why_no_sha256\":\"not a regular file"));
  EXPECT_EQ(run_wirelaw({"diff", path("p.json"), path("p.json")}).status, 0) << "it is read back";
}

TEST_F(ResultsTest, ADifferenceIsAGate) {
  ASSERT_EQ(run_wirelaw({"check", kGood, "--format", "json", "-o", path("good.json")}).status, 0);
  ASSERT_EQ(run_wirelaw({"check", "--complete", kViolating, "--format", "json", "-o", path("bad.json")}).status, 1);
  const ProgramRun worse = run_wirelaw({"diff", path("good.json"), path("bad.json")});
  EXPECT_EQ(worse.status, 1);
  EXPECT_TRUE(worse.out.starts_with("WORSE: ")) << worse.out;
  EXPECT_THAT(worse.out, HasSubstr("! rule RAMCLOUD-ack-5  "));
  EXPECT_EQ(run_wirelaw({"diff", path("bad.json"), path("bad.json")}).status, 0);
  EXPECT_EQ(run_wirelaw({"diff", path("bad.json"), path("bad.json")}).out,
            run_wirelaw({"diff", path("bad.json"), path("bad.json")}).out);
  EXPECT_EQ(run_wirelaw({"diff", path("good.json"), path("bad.json"), "--format", "html", "-o", path("d.html")}).status,
            1);
  EXPECT_THAT(read_file(path("d.html")), HasSubstr("RAMCLOUD-ack-5"));
  write_file(path("no.json"), "{\"schema\": \"wirelaw/2\"}");
  for (const std::string& wrong : {path("no.json"), path("absent.json"), kGood}) {
    const ProgramRun run = run_wirelaw({"diff", path("good.json"), wrong});
    EXPECT_EQ(run.status, 2) << wrong;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
  EXPECT_EQ(run_wirelaw({"diff", path("good.json"), path("bad.json"), "-o", path("bad.json")}).status, 2);
}

TEST_F(ResultsTest, ResultsOfDifferentProtocolsAreNotCompared) {
  const auto test = [&](const std::string& protocol, const std::string& cases, const std::string& file) {
    return run_wirelaw({"test", protocol, "memory:", "--seed", "1", "--case", cases, "--format", "json", "-o", file});
  };
  ASSERT_EQ(test("ramcloud", "reserved1/*", path("r.json")).status, 0);
  ASSERT_EQ(test("efa", "handshake/*", path("e.json")).status, 0);
  const ProgramRun run = run_wirelaw({"diff", path("r.json"), path("e.json")});
  EXPECT_EQ(run.status, 2) << run.out;
  EXPECT_THAT(run.err, HasSubstr("r.json is a result of ramcloud, and "));
  EXPECT_THAT(run.err, HasSubstr("e.json is a result of efa"));
  const ProgramRun gated =
      run_wirelaw({"test", "efa", "memory:", "--case", "handshake/*", "--baseline", path("r.json")});
  EXPECT_EQ(gated.status, 2) << gated.out;
  EXPECT_THAT(gated.err, HasSubstr("the baseline is a result of ramcloud, but this run is of efa"));
  EXPECT_EQ(run_wirelaw({"check", kGood, "--baseline", path("e.json")}).status, 2);
  EXPECT_EQ(run_wirelaw({"check", kGood, "--baseline", path("r.json")}).status, 0);
  EXPECT_EQ(run_wirelaw({"diff", path("r.json"), path("r.json")}).status, 0);
}

TEST_F(ResultsTest, CasesAreListedAsJson) {
  const ProgramRun run = run_wirelaw({"test", "smbd", "--list", "--format", "json", "--section", "MS-SMBD:3.1.6.1"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto list = nlohmann::json::parse(run.out);
  EXPECT_EQ(list["schema"], "wirelaw-cases/2");
  ASSERT_FALSE(list["cases"].empty());
  for (const auto& one : list["cases"]) {
    EXPECT_EQ(one["protocol"], "smbd");
    EXPECT_FALSE(one["rules"].empty()) << one;
  }
  EXPECT_EQ(run_wirelaw({"test", "smbd", "--list", "--format", "json", "-o", path("l.json")}).out, "");
  EXPECT_GT(nlohmann::json::parse(read_file(path("l.json")))["cases"].size(), list["cases"].size());
  EXPECT_EQ(run_wirelaw({"test", "smbd", "--list", "--format", "junit"}).status, 2);
  EXPECT_EQ(run_wirelaw({"test", "smbd", "--list", "--case", "no/such"}).status, 2);
}

TEST_F(ResultsTest, TheRulesOfAProtocolAreItsOwn) {
  const auto rules =
      nlohmann::json::parse(run_wirelaw({"rules", "--protocol", "smbd", "--format", "json"}).out)["rules"];
  ASSERT_FALSE(rules.empty());
  for (const auto& one : rules) EXPECT_EQ(one["protocol"], "smbd") << one["id"];
  for (const char* section : {"MS-SMBD:3.1.6", "MS-SMBD:3.1.6.1", "MS-SMBD:3.1.6.2"})
    EXPECT_EQ(run_wirelaw({"rules", "--protocol", "smbd", "--section", section}).status, 0) << section;
  EXPECT_EQ(run_wirelaw({"rules", "--protocol", "smbd", "--section", "RFC5040:4.8"}).status, 2);
}

TEST_F(ResultsTest, TheShareOfInconclusiveCasesIsAPercentage) {
  for (const char* wrong : {"101", "-1", "half"})
    EXPECT_EQ(run_wirelaw({"test", "ramcloud", "memory:", "--max-inconclusive", wrong}).status, 2) << wrong;
  EXPECT_EQ(run_wirelaw({"test", "ramcloud", "memory:", "--case", "reserved1/*", "--max-inconclusive", "0"}).status, 0);
}

// Links lead somewhere, and the counts of the page are those of its bottom line.
TEST_F(ResultsTest, APageOfARecordingHasATargetForEachLink) {
  const std::vector<std::string> words{"test",      "ramcloud", "memory:",  "--seed",        "1",
                                       "--deviate", "no-ack",   "--record", path("r.pcapng")};
  ASSERT_EQ(run_wirelaw(words).status, 1);
  const std::string page = page_of({"check", path("r.pcapng")}, 1);
  constexpr std::string_view kLink = "href=\"#";
  std::size_t links = 0;
  for (std::size_t at = 0; (at = page.find(kLink, at)) != std::string::npos; ++links) {
    at += kLink.size();
    const std::string anchor = page.substr(at, page.find('"', at) - at);
    EXPECT_NE(page.find("id=\"" + anchor + "\""), std::string::npos) << anchor;
  }
  EXPECT_GT(links, 6u);
}

// In a Data Transfer, 256 credits have the octets of version 0x0100 in a Negotiate Request.
TEST_F(ResultsTest, DecodedDataTransfersWith256CreditsAreNoNegotiation) {
  const ProgramRun run = run_wirelaw({"decode", WIRELAW_SOURCE_DIR "/corpora/captures/smbd/credits_256.pcap"});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = run.out.find(what); at != std::string::npos; at = run.out.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("Negotiate Request"), 1u);
  EXPECT_EQ(count("Negotiate Response"), 1u);
  EXPECT_EQ(count("Data Transfer credits requested 256"), 23u);
}

TEST_F(ResultsTest, AnExplanationIsOfWhatIsKnown) {
  const ProgramRun run = run_wirelaw({"explain", "RAMCLOUD-ack-5", "RAMCLOUD/R17"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("RAMCLOUD-ack-5  MUST\n"));
  EXPECT_THAT(run.out, HasSubstr("ruling RAMCLOUD/R17"));
  const ProgramRun mistyped = run_wirelaw({"explain", "RAMCLOUD-akc-5"});
  EXPECT_EQ(mistyped.status, 2);
  EXPECT_THAT(mistyped.err, HasSubstr("did you mean 'RAMCLOUD-ack-5'?"));
  EXPECT_EQ(run_wirelaw({"explain", "RAMCLOUD-ack-5", "--protocol", "efa"}).status, 2);
}

// The peer is started for each case, and every third time it is another.
TEST_F(ResultsTest, RepeatedRunsTakeTheWorstVerdictAndSayHowOften) {
  const std::string count = path("n");
  const std::string start = "n=$(cat " + count + "); echo $((n + 1)) > " + count +
                            "; [ $n = 0 ] && fault='--deviate reserved1-sent'; exec " WIRELAW_BINARY_DIR
                            "/harness/commands/wirelaw serve ramcloud \"$WIRELAW_URI\" --application count $fault";
  write_file(count, "0");
  const std::vector<std::string> words{
      "test",     "ramcloud", free_uri("ramcloud"), "--start", start,      "--case", "reserved1/*",
      "--repeat", "3",        "--application",      "count",   "--format", "json"};
  const ProgramRun run = run_wirelaw(words);
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"reason\":\"unstable: fail in 1, pass in 2 of 3 runs"));
  // In memory, each run has its own seed.
  const ProgramRun in_memory = run_wirelaw(
      {"test", "ramcloud", "memory:?loss=0.6&seed=1", "--case", "session/open*", "--repeat", "40", "--format", "json"});
  EXPECT_THAT(in_memory.out, HasSubstr("unstable: "));
  EXPECT_EQ(run_wirelaw({"test", "ramcloud", "memory:", "--repeat", "2", "--record", path("a.pcapng")}).status, 2);
  EXPECT_EQ(run_wirelaw({"test", "ramcloud", "memory:", "--repeat", "0"}).status, 2);
}

TEST_F(ResultsTest, AMatrixShowsResultsBesideOneAnother) {
  ASSERT_EQ(run_wirelaw({"check", kGood, "--format", "json", "-o", path("good.json")}).status, 0);
  ASSERT_EQ(run_wirelaw({"check", "--complete", kViolating, "--format", "json", "-o", path("bad.json")}).status, 1);
  const std::vector<std::string> places{"peer/1=" + path("bad.json"), "peer/2=" + path("good.json")};
  const ProgramRun markdown = run_wirelaw({"matrix", places[0], places[1]});
  EXPECT_EQ(markdown.status, 0) << markdown.err;
  EXPECT_THAT(markdown.out, HasSubstr("| **peer** | **[fail](file://" + path("bad.json") + ")**<br>1 failed"));
  EXPECT_THAT(markdown.out, HasSubstr("| **RAMCLOUD-ack-5** "));
  // A page is written before its result.
  write_file(path("good.html"), "");
  write_file(path("report.html"), "the page of another run");
  const ProgramRun html = run_wirelaw({"matrix", "--format", "html", "-o", path("m.html"), places[0], places[1]});
  EXPECT_EQ(html.status, 0) << html.err;
  EXPECT_THAT(read_file(path("m.html")), HasSubstr("<th scope=\"row\">peer</th>"));
  EXPECT_THAT(read_file(path("m.html")), HasSubstr("<a href=\"bad.json\">"));
  EXPECT_THAT(read_file(path("m.html")), HasSubstr("<a href=\"good.html\">"));
  EXPECT_THAT(read_file(path("m.html")), Not(HasSubstr("href=\"report.html\"")));
  // The gate's names.
  fs::rename(path("bad.json"), path("result.json"));
  const ProgramRun gate = run_wirelaw({"matrix", "peer/1=" + path("result.json")});
  EXPECT_THAT(gate.out, HasSubstr("[fail](file://" + path("report.html") + ")"));
  fs::rename(path("result.json"), path("bad.json"));
  EXPECT_EQ(run_wirelaw({"matrix", places[0], places[0]}).status, 2);
  EXPECT_EQ(run_wirelaw({"matrix", path("bad.json")}).status, 2);
  EXPECT_EQ(run_wirelaw({"matrix", "-o", path("bad.json"), places[0]}).status, 2) << "nothing is written upon an input";
}

}  // namespace
}  // namespace wirelaw
