// SPDX-License-Identifier: Apache-2.0
// wirelaw fuzz as its user has it: a campaign in a folder, its findings, and what is said where something is wrong.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <test_paths.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/commands/program_test.h"
#include "harness/commands/served_test.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kServe = WIRELAW_BINARY_DIR "/harness/commands/wirelaw serve ramcloud \"$WIRELAW_URI\"";

struct FuzzTest : ::testing::Test {
  FuzzTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~FuzzTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  ProgramRun fuzz(std::vector<std::string> words) const {
    words.insert(words.begin(), "fuzz");
    return run_wirelaw(words);
  }
  void expect_refused(const std::vector<std::string>& words, const std::string& says) const {
    const ProgramRun run = fuzz(words);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_THAT(run.err, StartsWith("wirelaw: "));
    EXPECT_THAT(run.err, HasSubstr(says));
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("fuzz_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(FuzzTest, AnHonestPeerHasNoFinding) {
  const ProgramRun run = fuzz({"ramcloud", "memory:", "--campaign", path("c"), "--runs", "150"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("150 runs, corpus "));
  EXPECT_THAT(run.out, HasSubstr("0 findings\n"));
  EXPECT_EQ(run.err, "");
}

// The peer serves every exchange, and crashes when it cleans up.
TEST_F(FuzzTest, APeerThatCrashesAsItIsAskedToEndIsAFinding) {
  const std::string crashes = "trap 'kill $!; kill -SEGV $$' TERM; " + kServe + " & wait";
  const ProgramRun run = fuzz({"ramcloud", free_uri("ramcloud"), "--start", crashes, "--case", "sessionToken/*",
                               "--campaign", path("c"), "--runs", "1"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  ASSERT_TRUE(fs::exists(path("c/findings"))) << run.out << run.err;
  const fs::directory_iterator finding(path("c/findings"));
  const auto json = nlohmann::json::parse(read_file(finding->path().string() + "/finding.json"));
  EXPECT_EQ(json["oracle"], "died");
  EXPECT_EQ(json["actual"], "it is killed by signal 11 (Segmentation fault) as it was asked to end");
  EXPECT_EQ(json["replays"]["came_back"], 3);
}

TEST_F(FuzzTest, AFindingIsAFolderThatCanBeReplayedAndChecked) {
  const ProgramRun run =
      fuzz({"ramcloud", "memory:", "--deviate", "reserved1-sent", "--campaign", path("c"), "--runs", "150"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  std::size_t findings = 0;
  for (const auto& entry : fs::directory_iterator(path("c/findings"))) {
    ++findings;
    const std::string finding = entry.path().string();
    const auto json = nlohmann::json::parse(read_file(finding + "/finding.json"));
    EXPECT_EQ(json["replays"]["came_back"], 3);
    const std::string rule = json["rule"]["id"];
    EXPECT_THAT(run.err, HasSubstr(rule));
    const ProgramRun check = run_wirelaw({"check", finding + "/capture.pcapng"});
    EXPECT_EQ(check.status, 1) << check.out;
    EXPECT_THAT(check.out, HasSubstr(rule));
    const ProgramRun again = fuzz({"--replay", finding, "memory:", "--deviate", "reserved1-sent"});
    EXPECT_EQ(again.status, 1) << again.err;
    EXPECT_EQ(again.out, "rule " + rule + ": recurred 3 of 3 times\n");
    const ProgramRun honest = fuzz({"--replay", finding + "/finding.json", "memory:"});
    EXPECT_EQ(honest.status, 0) << honest.err;
    EXPECT_EQ(honest.out, "rule " + rule + ": recurred 0 of 3 times\n");
  }
  EXPECT_EQ(findings, 1u) << run.out;
}

TEST_F(FuzzTest, APeerIsStartedAnewForEachInput) {
  const ProgramRun run =
      fuzz({"ramcloud", free_uri("ramcloud"), "--start", kServe, "--case", "sessionToken/*", "--campaign", path("c"),
            "--runs", "20", "--trial-answer-time", "1", "--limit-memory", "4000", "--limit-descriptors", "200"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const auto stats = nlohmann::json::parse(read_file(path("c/stats.json")));
  EXPECT_EQ(stats["runs"], 20);
  EXPECT_GT(stats["resident_octets"], 100'000);
}

TEST_F(FuzzTest, AnInstrumentedPeerGivesItsCoverage) {
  const std::string covered = WIRELAW_BINARY_DIR "/harness/commands/wirelaw_covered serve ramcloud \"$WIRELAW_URI\"";
  if (!fs::exists(covered.substr(0, covered.find(' ')))) GTEST_SKIP() << "another compiler than clang has built this";
  const std::vector<std::string> words{
      "ramcloud", free_uri("ramcloud"),  "--guidance", "coverage",      "--case", "sessionToken/*", "--runs",
      "20",       "--trial-answer-time", "1",          "--start-every", "10"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const ProgramRun run = fuzz(with({"--start", covered, "--campaign", path("c")}));
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const auto stats = nlohmann::json::parse(read_file(path("c/stats.json")));
  EXPECT_GT(stats["edges"], 100);
  EXPECT_GT(stats["stability"], 50);
  const ProgramRun none = fuzz(with({"--start", kServe, "--campaign", path("none")}));
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("--guidance coverage: the peer reports no coverage"));
}

TEST_F(FuzzTest, CapturesAndCorporaAreBegunWith) {
  const std::string capture = WIRELAW_SOURCE_DIR "/corpora/captures/ramcloud/ramcloud-cpp2016-open-single.pcap";
  const ProgramRun run = fuzz(
      {"ramcloud", "memory:", "--case", "sessionToken/*", "--from", capture, "--campaign", path("c"), "--runs", "60"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  std::size_t of_capture = 0;
  for (const auto& entry : fs::directory_iterator(path("c/corpus")))
    of_capture +=
        nlohmann::json::parse(read_file(entry.path().string()))["input"]["case"].get<std::string>().starts_with(
            "capture/")
            ? 1
            : 0;
  EXPECT_GE(of_capture, 1u);
  const ProgramRun again = fuzz({"ramcloud", "memory:", "--case", "sessionToken/*", "--seeds", path("c"), "--campaign",
                                 path("d"), "--runs", "60"});
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  expect_refused({"ramcloud", "memory:", "--seeds", path("none"), "--campaign", path("e")}, "--seeds");
  expect_refused({"ramcloud", "memory:", "--from", path("none"), "--campaign", path("e")}, "--from");
}

TEST_F(FuzzTest, AQuietCampaignPrintsWhereItsFindingsAre) {
  const std::string found = "  rule RAMCLOUD-reserved1-1  " + path("c/findings/rule-RAMCLOUD-reserved1-1") + "\n";
  for (const char* const jobs : {"1", "2"}) {
    const ProgramRun run = fuzz({"ramcloud", "memory:", "--deviate", "reserved1-sent", "--campaign", path("c"),
                                 "--runs", "100", "--jobs", jobs, "-q"});
    EXPECT_EQ(run.status, 1) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr(found));
    EXPECT_THAT(run.out, EndsWith("\n1 finding\n"));
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(fs::exists(path("c/findings/rule-RAMCLOUD-reserved1-1/finding.json")));
    fs::remove_all(path("c"));
  }
}

TEST_F(FuzzTest, WorkersShareOneFolder) {
  const std::vector<std::string> words{"ramcloud", "memory:", "--deviate", "reserved1-sent", "--campaign",
                                       path("c"),  "--runs",  "300",       "--jobs",         "2"};
  const ProgramRun run = fuzz(words);
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("300 runs"));
  EXPECT_THAT(run.err, ContainsRegex("worker [12], run [0-9]+: rule RAMCLOUD-reserved1-1: expected reserved1 0, got "
                                     "reserved1 1; recurred 3 of 3 times\n"));
  const auto stats = nlohmann::json::parse(read_file(path("c/stats.json")));
  EXPECT_EQ(stats["runs"], 300);
  EXPECT_EQ(stats["findings"], 1);
  EXPECT_TRUE(fs::exists(path("c/index.html")));
  const ProgramRun again = fuzz(words);
  EXPECT_EQ(again.status, 1) << again.out << again.err;
  EXPECT_EQ(nlohmann::json::parse(read_file(path("c/stats.json")))["runs"], 600);
  expect_refused({"ramcloud", "udp://127.0.0.1:7000", "--jobs", "2", "--campaign", path("d")}, "--jobs");
}

TEST_F(FuzzTest, WhatASanitizerSaysIsAFinding) {
  const ProgramRun run =
      fuzz({"ramcloud", free_uri("ramcloud"), "--start",
            "echo 'a.c:1:2: runtime error: shift exponent 99 is too large' >&2; " + kServe, "--case", "sessionToken/*",
            "--campaign", path("c"), "--runs", "2", "--replays", "1", "--trial-answer-time", "1"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("sanitizer runtime error: shift exponent  is too large in a.c:1:2"));
  std::size_t findings = 0;
  for (const auto& entry : fs::directory_iterator(path("c/findings"))) {
    EXPECT_THAT(read_file((entry.path() / "peer.err").string()), HasSubstr("runtime error"));
    ++findings;
  }
  EXPECT_EQ(findings, 1u);
}

// Replaying it needs both the process with too few resources, and the limit that reports it.
TEST_F(FuzzTest, AFindingInAProcessIsReplayedOnlyAgainstAProcess) {
  const std::string uri = free_uri("ramcloud");
  const ProgramRun run =
      fuzz({"ramcloud", uri, "--start", kServe, "--case", "sessionToken/*", "--campaign", path("c"), "--runs", "1",
            "--replays", "1", "--trial-answer-time", "1", "--limit-descriptors", "1"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  const std::string finding = path("c/findings/descriptors-grow");
  EXPECT_EQ(nlohmann::json::parse(read_file(finding + "/finding.json"))["limits"],
            nlohmann::json::parse(R"({"descriptors": 1})"));
  const ProgramRun again = fuzz({"--replay", finding, uri, "--start", kServe, "--replays", "1"});
  EXPECT_EQ(again.status, 1) << again.err;
  EXPECT_EQ(again.out, "descriptors grow: recurred 1 of 1 times\n");
  const ProgramRun fixed =
      fuzz({"--replay", finding, uri, "--start", kServe, "--replays", "1", "--limit-descriptors", "200"});
  EXPECT_EQ(fixed.status, 0) << fixed.out << fixed.err;
  expect_refused({"--replay", finding, "memory:"}, "give --start or --trigger");
  const std::string begin = R"({"schema": "wirelaw-finding/1", "protocol": "ramcloud", "role": "server",)";
  write_file(path("old.json"),
             begin + R"("signature": "memory grows", "oracle": "memory", "input": {"case": "x", "edits": []}})");
  expect_refused({"--replay", path("old.json"), uri, "--start", kServe}, "give --limit-memory");
}

TEST_F(FuzzTest, AReplayWhosePeerGoesIsNotThatOfAMendedOne) {
  write_file(path("f.json"), R"({"schema": "wirelaw-finding/1", "protocol": "ramcloud", "role": "server",
    "signature": "rule NONE", "oracle": "rule", "input": {"case": "sessionToken/the-given-token-is-accepted", "edits": []}})");
  const std::string twice = "echo >>" + path("n") + "; [ $(wc -l <" + path("n") + ") -le 3 ] && " + kServe;
  const ProgramRun run =
      fuzz({"--replay", path("f.json"), free_uri("ramcloud"), "--start", twice, "--replays", "5", "--start-time", "5"});
  EXPECT_EQ(run.status, 3) << run.out << run.err;
  EXPECT_EQ(run.out, "rule NONE: recurred 0 of 2 times\n");
  EXPECT_THAT(run.err, StartsWith("wirelaw: "));
}

// An input that kills the peer is a finding, although nobody restarts the peer to confirm it.
TEST_F(FuzzTest, APeerThatIsKilledIsAFinding) {
  const Served server({"udp://127.0.0.1:0", "--deviate", "reserved1-dies"});
  const ProgramRun run = fuzz({"ramcloud", server.uri(), "--case", "reserved1/*", "--campaign", path("c"), "--runs",
                               "9", "--answer-time", "0.2", "--silence-time", "0.1"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out,
              HasSubstr("  unserved an honest exchange  " + path("c/findings/unserved-an-honest-exchange") + "\n"));
  EXPECT_THAT(run.err, HasSubstr("wirelaw: the peer has gone, and does not come back"));
}

TEST_F(FuzzTest, NobodyThereIsStatusThree) {
  const ProgramRun run =
      fuzz({"ramcloud", "udp://127.0.0.1:9", "--campaign", path("c"), "--runs", "2", "--answer-time", "0.1"});
  EXPECT_EQ(run.status, 3) << run.out << run.err;
}

TEST_F(FuzzTest, AFolderIsOfOnePeerAndOfOneCampaignAtATime) {
  const std::vector<std::string> words{"ramcloud", "memory:", "--campaign", path("c"), "--runs", "5"};
  EXPECT_EQ(fuzz(words).status, 0);
  EXPECT_EQ(fuzz(words).status, 0);
  expect_refused({"ramcloud", "memory:?loss=0.1", "--campaign", path("c"), "--runs", "5"},
                 "this campaign differs in its peer (\"memory:\" there, \"memory:?loss=0.1\" here)");
  const int file = ::open(path("c/lock").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  expect_refused(words, "c: a campaign runs in it");
  ::close(file);
  EXPECT_EQ(fuzz(words).status, 0);
}

TEST_F(FuzzTest, CampaignsAreMerged) {
  for (const char* seed : {"1", "2"})
    EXPECT_EQ(fuzz({"ramcloud", "memory:", "--campaign", path(seed), "--seed", seed, "--runs", "30", "-q"}).status, 0);
  const ProgramRun run = fuzz({"--merge", path("1"), "--merge", path("2"), "--campaign", path("both")});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("0 findings"));
}

TEST_F(FuzzTest, WhatIsWrongIsSaidInOneLine) {
  expect_refused({}, "name the protocol and the peer");
  expect_refused({"ramcloud", "memory:", "--replays", "0"}, "--replays: Value 0 not in range");
  expect_refused({"ramcloud", "memory:", "--repair", "101"}, "--repair: Value 101 not in range");
  expect_refused({"ramcloud", "memory:", "--for", "10 minutes"}, "--for: '10 minutes' is not a duration");
  expect_refused({"ramcloud", "--listen", "udp://127.0.0.1:0", "--campaign", path("c")}, "give --trigger");
  expect_refused({"ramcloud", "memory:", "--guidance", "coverage", "--campaign", path("c")}, "--guidance coverage");
  expect_refused({"ramcloud", "memory:", "--limit-memory", "1", "--campaign", path("c")}, "--limit-memory");
  expect_refused({"ramcloud", "memory:", "--case", "none/*", "--campaign", path("c")}, "no case");
  expect_refused({"--replay", path("none"), "memory:"}, "--replay");
  write_file(path("wrong.json"), R"({"schema": "wirelaw-finding/1", "signature": "rule X", "input": {"case": ""}})");
  expect_refused({"--replay", path("wrong.json"), "memory:"}, "names no case");
  write_file(path("other.json"), R"({"schema": "other"})");
  expect_refused({"--replay", path("other.json"), "memory:"}, "is no finding of a campaign");
  expect_refused({"--merge", path("none")}, "name the new folder");
  expect_refused({"--merge", path("none"), "--campaign", path("new")}, "none/campaign.json");
}

TEST_F(FuzzTest, AFailedStartLeavesNothingAndTheCorrectedCommandIsTaken) {
  const std::string uri = free_uri("ramcloud");
  const std::vector<std::string> with{"ramcloud",   uri,       "--case", "sessionToken/*",
                                      "--campaign", path("c"), "--runs", "2"};
  const auto started_by = [&](const std::string& command) {
    std::vector<std::string> words = with;
    words.insert(words.end(), {"--start", command});
    return fuzz(words);
  };
  const ProgramRun failed = started_by("echo 'cannot bind' >&2; exit 1");
  EXPECT_EQ(failed.status, 3);
  EXPECT_THAT(failed.err, StartsWith("cannot bind\n")) << "what it wrote is not lost with the folder";
  EXPECT_THAT(failed.err, HasSubstr("'echo 'cannot bind' >&2; exit 1' ended before it said that it listens"));
  EXPECT_FALSE(fs::exists(path("c")));
  EXPECT_EQ(fuzz(with).status, 3) << "nobody is there";
  EXPECT_FALSE(fs::exists(path("c")));
  EXPECT_EQ(started_by(kServe).status, 0);
  EXPECT_TRUE(fs::exists(path("c/campaign.json")));
}

// A peer at a random port, which is not the port of its URI.
TEST_F(FuzzTest, APeerThatListensElsewhereIsToldSo) {
  const std::string elsewhere = WIRELAW_BINARY_DIR "/harness/commands/wirelaw serve ramcloud udp://";
  const ProgramRun run = fuzz({"ramcloud", free_uri("ramcloud"), "--start", elsewhere, "--campaign", path("c"),
                               "--runs", "2", "--answer-time", "0.3"});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("it says 'ramcloud server at udp://127.0.0.1:"));
  EXPECT_THAT(run.err, HasSubstr("$WIRELAW_URI"));
}

// The commands unchanged, except for free ports and an end after a few inputs.
TEST_F(FuzzTest, TheExamplesOfItsHelpWork) {
  const std::string help = fuzz({"--help"}).out;
  std::istringstream lines(help.substr(help.find("\nExamples:\n")));
  const Served server({"udp://127.0.0.1:0"});
  write_file(path("site.pcapng"),
             read_file(WIRELAW_SOURCE_DIR "/corpora/captures/ramcloud/ramcloud-cpp2016-open-single.pcap"));
  for (const char* const earlier : {"last-night", "night-1", "night-2"})
    EXPECT_EQ(fuzz({"ramcloud", "memory:", "--campaign", path(earlier), "--runs", "5", "-q"}).status, 0);
  EXPECT_EQ(fuzz({"ramcloud", "memory:", "--deviate", "no-ack", "--case", "requestAck/*", "--campaign", path("earlier"),
                  "--runs", "6", "-q"})
                .status,
            1);
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  };
  const std::string uri = free_uri("smbd");
  const std::string place = uri.substr(uri.find("//") + 2);
  std::size_t run = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  wirelaw fuzz ") || line.find("--target") != line.npos) continue;
    line = replaced(line, "udp://127.0.0.1:7000", server.uri());
    line = replaced(line, "night/findings/rule-SMBD-3.1.5.4-3", "earlier/findings/rule-RAMCLOUD-requestAck-1");
    if (line.find("--replay") != line.npos) line = replaced(line, "iwarp://127.0.0.1", server.uri());
    line = replaced(line, "iwarp://127.0.0.1:5445", "iwarp://" + place);
    line = replaced(line, "--for 10m", "--runs 3 --case 'sessionToken/*'");
    line = replaced(line, "--for 8h", "--runs 3");
    line = replaced(line, "--campaign tonight", "--runs 3 --campaign tonight");
    line = replaced(line, "--runs 1000", "--runs 60");
    const std::string command =
        "cd " + folder.string() + " && PATH=" WIRELAW_BINARY_DIR "/harness/commands:$PATH && " + line;
    const ProgramRun one = run_program("/bin/sh", {"-c", command});
    EXPECT_THAT(one.status, testing::AnyOf(0, 1)) << line << '\n' << one.out << one.err;
    EXPECT_THAT(one.err, Not(HasSubstr("wirelaw: "))) << line;
    ++run;
  }
  EXPECT_GE(run, 7u);
}

TEST_F(FuzzTest, EveryTargetIsDescribed) {
  const ProgramRun run = fuzz({"--targets"});
  if (run.status != 0) GTEST_SKIP() << run.err;
  std::istringstream lines(run.out);
  std::size_t described = 0;
  for (std::string line; std::getline(lines, line) && line.starts_with("fuzz_"); ++described)
    EXPECT_NE(line.find_last_not_of(' '), line.find(' ') - 1) << line << " has no description";
  EXPECT_GT(described, 30u);
}

// Earlier false findings of campaigns against an honest reference: a rule that was too strict, or a fault of the
// reference.
TEST_F(FuzzTest, WhatWasMendedDoesNotComeBack) {
  std::size_t replayed = 0;
  for (const auto& one : fs::directory_iterator(WIRELAW_SOURCE_DIR "/harness/campaign/regressions")) {
    const ProgramRun run = fuzz({"--replay", one.path().string(), "memory:", "--replays", "1"});
    EXPECT_EQ(run.status, 0) << one.path() << '\n' << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr(": recurred 0 of 1 times\n")) << one.path();
    ++replayed;
  }
  EXPECT_GE(replayed, 32u);
}

}  // namespace
}  // namespace wirelaw
