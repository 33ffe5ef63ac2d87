// SPDX-License-Identifier: Apache-2.0
// wirelaw test --jobs: what several processes find and record is what one does.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <test_paths.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/capture/own_network.h"
#include "harness/commands/one_tester.h"
#include "harness/commands/program_test.h"
#include "harness/commands/served_test.h"
#include "harness/parallel/long_cases.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string kProgramWord = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";
// Cases that need no silence.
const Words kQuick{"--case", "open*/*", "--case", "reserved1/*", "--case", "session/*"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct TestJobs : ::testing::Test {
  TestJobs() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~TestJobs() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  static void expect_one_line(const Words& words, const std::string& says) {
    const ProgramRun run = run_wirelaw(Words{"test"} + words);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("test_jobs_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

// --- in memory, where a run always has the same octets

TEST_F(TestJobs, InMemoryGiveTheSameOctets) {
  const std::vector<Words> tests = {{"ramcloud", "memory:?loss=0.1&seed=7"},
                                    {"ramcloud", "memory:", "--role", "client", "--deviate", "never-retransmits"},
                                    {"rdmap", "memory:", "--case", "mpa/*"},
                                    {"rdmap", "memory:?verbs", "--skip", "mpa/*=not now"},
                                    {"smbd", "memory:"},
                                    {"efa", "memory:", "--case", "packet/*"},
                                    {"efa", "memory:", "--role", "requester", "--rule", "EFA-3.2-1*"},
                                    {"umsp", "memory:", "--case", "session/*"},
                                    {"umsp", "memory:", "--role", "initiator", "--case", "*/*-is-*"}};
  for (const Words& words : tests) {
    const Words test = Words{"test"} + words;
    const ProgramRun one = run_wirelaw(test + Words{"--format", "json", "--record", path("one")});
    const ProgramRun many = run_wirelaw(test + Words{"--format", "json", "--record", path("many"), "--jobs", "3"});
    EXPECT_EQ(many.status, one.status) << many.err;
    EXPECT_TRUE(many.out == one.out) << words[0] << " " << words[1];
    EXPECT_EQ(many.err, one.err);
    EXPECT_TRUE(read_file(path("many")) == read_file(path("one"))) << words[0] << " " << words[1];
  }
}

TEST_F(TestJobs, GiveTheSameInEveryFormat) {
  const Words test{"test", "ramcloud", "memory:", "--deviate", "no-ack"};
  for (const char* const format : {"text", "json", "junit", "html", "sarif", "markdown", "github"}) {
    const ProgramRun one = run_wirelaw(test + Words{"--format", format});
    const ProgramRun many = run_wirelaw(test + Words{"--format", format, "--jobs", "4"});
    EXPECT_EQ(one.status, 1);
    EXPECT_EQ(many.status, one.status);
    EXPECT_TRUE(many.out == one.out) << format;
    EXPECT_EQ(many.err, one.err);
  }
}

TEST_F(TestJobs, GoWithWhatElseMayBeAsked) {
  const Words test{"test", "ramcloud", "memory:", "--deviate", "no-ack", "--format", "json"};
  const std::string all = run_wirelaw(test).out;
  write_file(path("known.json"), all);
  for (const Words& more : {Words{"--repeat", "3"}, Words{"--shard", "2/3"}, Words{"--baseline", path("known.json")},
                            Words{"--skip", "ack/*=not now"}, Words{"--keep-going"}, Words{"--case", "ack/no-*"}}) {
    const ProgramRun one = run_wirelaw(test + more), many = run_wirelaw(test + more + Words{"--jobs", "5"});
    EXPECT_EQ(many.status, one.status);
    EXPECT_TRUE(many.out == one.out) << more[0];
    EXPECT_EQ(many.err, one.err);
  }
}

// --- which cases begin first

// In memory, time is virtual, so a case always takes equally long. Over a network, cases that take longer than a minute
// are skipped.
TEST_F(TestJobs, KnowTheLongCases) {
  constexpr double kDeadline = 60, kNear = 0.5;
  std::map<std::string, double> known;
  for (const LongCase& one : long_cases()) known[fmt::format("{} {}", one.protocol, one.id)] = one.seconds;
  for (const Protocol* const protocol : protocols()) {
    for (const std::string_view role : {protocol->responder, protocol->initiator}) {
      const Words test{"test", std::string(protocol->name), "memory:", "--role", std::string(role), "--jobs", "2"};
      const Json result = Json::parse(run_wirelaw(test + Words{"--format", "json"}).out);
      for (const Json& one : result["cases"]) {
        const std::string id = one["id"], name = fmt::format("{} {}", protocol->name, id);
        const double seconds = one["duration_ms"].get<double>() / 1000;
        if (known.contains(name)) {
          EXPECT_NEAR(seconds, known[name], kNear) << name;
        } else if (!id.starts_with("application/")) {
          EXPECT_TRUE(seconds < kLongCaseSeconds || seconds > kDeadline) << name << " takes " << seconds;
        }
      }
    }
  }
}

// --- which cases are left out

// The reason of the slow case, in a run of a shard that has few others. The deadline ends the case soon if it runs.
std::string reason_of_slow_case(const std::string& peer, const Words& more) {
  const Words test{"test", "umsp", peer, "--deadline", "0.2", "--format", "json", "--jobs", "1", "--keep-going"};
  const Json result = Json::parse(run_wirelaw(test + more).out);
  for (const Json& one : result["cases"])
    if (one["id"] == "closing/thirty-seconds")
      return one["verdict"].get<std::string>() + ": " + one["reason"].get<std::string>();
  return "not listed";
}

Words shard_of_slow_case() {
  for (int number = 1; number <= 40; ++number) {
    const Words shard{"--shard", fmt::format("{}/40", number)};
    const ProgramRun list = run_wirelaw(Words{"test", "umsp", "--list", "--role", "executor"} + shard);
    if (list.out.find("closing/thirty-seconds") != std::string::npos) return shard;
  }
  return {};
}

TEST_F(TestJobs, LeaveOutASlowCaseUnlessItIsAskedFor) {
  const Served node({}, "umsp");
  const Words shard = shard_of_slow_case();
  ASSERT_FALSE(shard.empty());
  const std::string left_out = "skipped: takes 30 s, because the specification makes it wait; --slow runs it";
  const auto is_left_out = [&](const Words& more) { return reason_of_slow_case(node.uri_of("tcp"), more) == left_out; };
  EXPECT_TRUE(is_left_out(shard));
  EXPECT_TRUE(is_left_out(shard + Words{"--skip", "object/*=not now"}));
  for (const Words& asked :
       {shard + Words{"--slow"}, Words{"--case", "closing/thirty-*"}, Words{"--rule", "UMSP-5.4-17"}}) {
    const std::string reason = reason_of_slow_case(node.uri_of("tcp"), asked);
    EXPECT_THAT(reason, HasSubstr("deadline of 0.2 s")) << asked[0];
    EXPECT_THAT(reason, Not(HasSubstr("skipped"))) << asked[0];
  }
}

// A deadline that cuts waits short is the user's choice, and no fault of an honest peer.
TEST_F(TestJobs, AShortDeadlineBlamesNobody) {
  for (const Protocol* const protocol : protocols())
    for (const std::string_view role : {protocol->responder, protocol->initiator})
      for (const char* const deadline : {"0.2", "3"}) {
        const ProgramRun run = run_wirelaw({"test", std::string(protocol->name), "memory:", "--role", std::string(role),
                                            "--deadline", deadline, "--format", "json"});
        const Json result = Json::parse(run.out);
        EXPECT_FALSE(result["cases"].empty());
        for (const Json& one : result["cases"])
          EXPECT_NE(one["verdict"], "fail") << role << " " << deadline << ": " << one["id"] << one["reason"];
      }
}

TEST_F(TestJobs, InMemoryNoCaseIsSlow) {
  EXPECT_THAT(reason_of_slow_case("memory:", shard_of_slow_case()), Not(HasSubstr("skipped")));
}

// --- a live peer

Json verdicts_of(const Json& list) {
  Json verdicts = Json::object();
  for (const Json& one : list) verdicts[one["id"].get<std::string>()] = one["verdict"];
  return verdicts;
}

// Retransmissions exercise rules that are not exercised otherwise, and they pass. Rules that both runs exercised agree.
void expect_the_same_rules(const Json& one, const Json& other) {
  const Json verdicts = verdicts_of(one), others = verdicts_of(other);
  ASSERT_EQ(verdicts.size(), others.size());
  for (const auto& [rule, verdict] : verdicts.items()) {
    if (verdict == others[rule]) continue;
    EXPECT_THAT((std::vector<std::string>{verdict, others[rule]}), UnorderedElementsAre("pass", "not-exercised"))
        << rule;
  }
}

// The parts of a result, besides its rules, that do not depend on time and machine.
Json lasting(const Json& json) {
  Json kept{{"gate", json["gate"]}};
  for (const Json& one : json["cases"]) kept["cases"].push_back({one["id"], one["verdict"], one["reason"]});
  return kept;
}

// Cases have frames in their order, and findings name frames that are there.
void expect_frames_resolve(const Json& json) {
  std::uint64_t before = 0;
  for (const Json& one : json["cases"]) {
    if (one["frames"].empty()) continue;
    EXPECT_GT(one["frames"][0].get<std::uint64_t>(), before);
    before = one["frames"][1];
  }
  EXPECT_GT(before, 0u);
  for (const Json& one : json["findings"]) EXPECT_LE(one["frame"].get<std::uint64_t>(), before);
}

void expect_the_same_of_one_and_many(const TestJobs& test, const Words& words, int status) {
  const Words all = Words{"test"} + words + Words{"--format", "json", "--record"};
  const ProgramRun one = run_wirelaw(all + Words{test.path("one")});
  const ProgramRun many = run_wirelaw(all + Words{test.path("many"), "--jobs", "4"});
  EXPECT_EQ(one.status, status) << one.err;
  EXPECT_EQ(many.status, status) << many.err;
  const Json result = Json::parse(one.out), result_many = Json::parse(many.out);
  EXPECT_EQ(lasting(result_many), lasting(result));
  expect_the_same_rules(result_many["rules"], result["rules"]);
  expect_frames_resolve(result_many);
  const ProgramRun check = run_wirelaw({"check", "--format", "json", test.path("one")});
  const ProgramRun check_many = run_wirelaw({"check", "--format", "json", test.path("many")});
  EXPECT_EQ(check.status, status);
  EXPECT_EQ(check_many.status, status);
  const Json judged = Json::parse(check.out), judged_many = Json::parse(check_many.out);
  expect_the_same_rules(judged_many["rules"], judged["rules"]);
  EXPECT_EQ(verdicts_of(judged_many["runs"][0]["cases"]), verdicts_of(judged["runs"][0]["cases"]));
  EXPECT_EQ(judged_many["input"]["sources"][0]["completeness"], "complete");
  expect_frames_resolve(judged_many["runs"][0]);
}

TEST_F(TestJobs, OfALivePeerFindWhatOneFinds) {
  Served server({"--application", "count"});
  expect_the_same_of_one_and_many(*this, Words{"ramcloud", server.uri(), "--application", "count"} + kQuick, 0);
}

TEST_F(TestJobs, OfAFaultyPeerFindWhatOneFinds) {
  Served server({"--deviate", "reserved1-sent"});
  expect_the_same_of_one_and_many(*this, Words{"ramcloud", server.uri()} + kQuick, 1);
}

TEST_F(TestJobs, OfAStreamFindWhatOneFinds) {
  Served responder({}, "rdmap");
  expect_the_same_of_one_and_many(
      *this,
      {"rdmap", responder.uri(), "--case", "rdmap/responder-answers-reads", "--case",
       "rdmap/responder-does-not-deliver-writes", "--case", "ddp/responder-delivers-in-order", "--case",
       "mpa/responder-and-short-untagged-ulpdus"},
      0);
}

// A node of UMSP is known by its address.
TEST_F(TestJobs, OfANodeAreNodesOfTheirOwn) {
  Served node({}, "umsp");
  expect_the_same_of_one_and_many(*this,
                                  {"umsp", node.uri_of("tcp"), "--case", "address/*", "--case", "session/reject-*",
                                   "--case", "session/serves-after-our-accept"},
                                  0);
}

// Memory that a URI names is everybody's: cases that use it take turns.
TEST_F(TestJobs, TakeTurnsWithTheMemoryOfThePeer) {
  Served responder({}, "efa");
  const ProgramRun run =
      run_wirelaw({"test", "efa", responder.uri(), "--case", "atomic/*", "--jobs", "8", "--repeat", "3"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
}

TEST_F(TestJobs, StartPeersOfTheirOwn) {
  if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
  const std::string start =
      "echo \"$WIRELAW_URI\" >>" + path("started") + "; exec " + kProgramWord + " serve ramcloud \"$WIRELAW_URI\"";
  expect_the_same_of_one_and_many(*this, Words{"ramcloud", "udp://127.0.0.1:7000", "--start", start} + kQuick, 0);
  for (const char* const port : {":7000\n", ":7001\n", ":7004\n"})
    EXPECT_THAT(read_file(path("started")), HasSubstr(port));
}

TEST_F(TestJobs, TriggerClientsOfTheirOwn) {
  expect_the_same_of_one_and_many(*this,
                                  {"ramcloud", "--listen", "udp://127.0.0.1", "--trigger",
                                   "exec " + kProgramWord + " serve ramcloud --role client --deviate reserved1-sent",
                                   "--case", "reserved1/*", "--case", "openResponse/*"},
                                  1);
}

// --- a peer that serves one tester at a time

const std::string kServesOne = "the peer does not serve several testers at once";

// The result is the same as with --jobs 1, and the user learns why it took longer.
void expect_the_same_one_at_a_time(OneTester::Others others, const Words& served, const Words& cases, int status) {
  Served responder(served, "rdmap");
  const OneTester peer(responder.uri(), others);
  const Words test = Words{"test", "rdmap", peer.uri(), "--format", "json", "--answer-time", "0.5"} + cases;
  const ProgramRun one = run_wirelaw(test + Words{"--jobs", "1"});
  const ProgramRun many = run_wirelaw(test);
  EXPECT_EQ(one.status, status) << one.err;
  EXPECT_EQ(many.status, status) << many.err;
  EXPECT_EQ(one.err, "");
  EXPECT_THAT(many.err, HasSubstr(kServesOne));
  const Json result = Json::parse(one.out), result_many = Json::parse(many.out);
  EXPECT_EQ(lasting(result_many), lasting(result));
  expect_the_same_rules(result_many["rules"], result["rules"]);
}

// Cases that hold their connection for half a second.
const Words kHolding{"--case", "rdmap/responder-*-reads",
                     "--case", "rdmap/responder-does-not-deliver-writes",
                     "--case", "ddp/responder-delivers-in-order",
                     "--case", "ddp/responder-waits-*",
                     "--case", "mpa/responder-waits-for-the-request",
                     "--case", "mpa/responder-waits-for-the-first-fpdu"};

TEST_F(TestJobs, FindOutThatOthersAreClosed) {
  expect_the_same_one_at_a_time(OneTester::Others::are_closed, {}, kHolding, 0);
}

TEST_F(TestJobs, FindOutThatOthersWait) {
  expect_the_same_one_at_a_time(OneTester::Others::wait, {}, kHolding, 0);
}

TEST_F(TestJobs, FindTheFaultsOfAPeerThatServesOne) {
  expect_the_same_one_at_a_time(OneTester::Others::are_closed, {"--deviate", "last-early"}, kHolding, 1);
}

TEST_F(TestJobs, RecordOnlyWhatStands) {
  Served responder({}, "rdmap");
  const OneTester peer(responder.uri(), OneTester::Others::are_closed);
  const ProgramRun run = run_wirelaw(
      Words{"test", "rdmap", peer.uri(), "--format", "json", "--answer-time", "0.5", "--record", path("many")} +
      kHolding);
  EXPECT_EQ(run.status, 0) << run.err;
  const Json result = Json::parse(run.out);
  expect_frames_resolve(result);
  const ProgramRun check = run_wirelaw({"check", "--format", "json", path("many")});
  EXPECT_EQ(check.status, 0) << check.err;
  const Json judged = Json::parse(check.out);
  EXPECT_EQ(verdicts_of(judged["runs"][0]["cases"]), verdicts_of(result["cases"]));
  EXPECT_EQ(judged["input"]["sources"][0]["completeness"], "complete");
  expect_frames_resolve(judged["runs"][0]);
}

TEST_F(TestJobs, KeepQuietOfAPeerThatServesSeveral) {
  Served responder({"--deviate", "last-early"}, "rdmap");
  const ProgramRun run = run_wirelaw(Words{"test", "rdmap", responder.uri()} + kHolding);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, Not(HasSubstr(kServesOne)));
}

// --- what goes wrong

TEST_F(TestJobs, SayOnceThatNobodyListens) {
  const ProgramRun run =
      run_wirelaw({"test", "ramcloud", free_uri("ramcloud"), "--jobs", "8", "--answer-time", "0.05"});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("nobody listens at 127.0.0.1:"));
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
}

TEST_F(TestJobs, SayOnceThatThePeerHasDied) {
  Served server({"--idle", "1000"});
  const std::string uri = server.uri();
  const std::string ends = "(sleep 1; kill -9 " + std::to_string(server.process()) + ") & exec " + kProgramWord;
  const ProgramRun run = run_program("/bin/sh", {"-c", ends + " test ramcloud " + uri + " --jobs 4 --repeat 50"});
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("(exit status 3)"));
}

TEST_F(TestJobs, AreRefusedWhereTheyCannotBe) {
  expect_one_line({"ramcloud", "--listen", "udp://127.0.0.1:7000", "--trigger", "true", "--jobs", "2"},
                  "--jobs: the processes cannot share a port");
  expect_one_line({"ramcloud", "--listen", "udp://", "--jobs", "2"}, "--jobs: needs --trigger");
  expect_one_line({"rdmap", "tcp://127.0.0.1:7000", "--capture-on", "lo", "--jobs", "2"},
                  "--jobs: cannot be combined with --capture-on");
  expect_one_line({"efa", "srd://", "--start", "true", "--jobs", "2"}, "--jobs: each process starts its own peer");
  expect_one_line({"rdmap", "verbs://127.0.0.1", "--jobs", "2"}, "--jobs: ");
  expect_one_line({"ramcloud", "udp://127.0.0.1:65530", "--start", "true", "--jobs", "8"},
                  "--jobs: there are not 8 ports");
  for (const char* const jobs : {"0", "-1", "x", "65", "1.5"})
    expect_one_line({"ramcloud", "memory:", std::string("--jobs=") + jobs}, "--jobs");
}

}  // namespace
}  // namespace wirelaw
