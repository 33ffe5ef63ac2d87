// SPDX-License-Identifier: Apache-2.0
// Campaigns against the reference peer in memory. A seeded fault is found once, and its finding is reproduced. An
// honest peer gives no finding. A campaign that was stopped resumes as if it had not been.
#include "harness/campaign/campaign_test.h"

#include <gmock/gmock.h>
#include <test_paths.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "harness/campaign/export.h"
#include "harness/campaign/folder_lock.h"
#include "harness/campaign/merge.h"

namespace wirelaw::campaign {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;
using testing::StartsWith;

TEST_F(CampaignTest, WhatIsSownIsFoundOnceAndComesBack) {
  const auto outcome = run("ramcloud", {"no-ack"}, 300);
  ASSERT_TRUE(outcome) << outcome.error();
  ASSERT_FALSE(outcome->signatures.empty());
  for (const std::string& signature : outcome->signatures) {
    const std::string finding = "one/findings/" + folder_name(signature);
    const auto json = read_json(path(finding + "/finding.json"));
    ASSERT_TRUE(json) << json.error();
    EXPECT_EQ((*json)["replays"]["of"], 3);
    EXPECT_EQ((*json)["replays"]["came_back"], 3) << signature;
    EXPECT_TRUE(fs::exists(path(finding + "/capture.pcapng")));
    EXPECT_THAT(content(finding + "/script.wirelaw"), HasSubstr("\niut b\n"));
    const auto exported = export_finding(path(finding), path("exported"));
    ASSERT_TRUE(exported) << exported.error();
    for (const char* suffix : {".cc", ".pcapng", ".wirelaw"}) EXPECT_THAT(*exported, Contains(EndsWith(suffix)));
  }
}

// The faults have shapes that deployed implementations had. `campaign_benchmark` measures how soon they are found, and
// what guidance is worth.
TEST_F(CampaignTest, EverySownFaultIsFoundAndComesBack) {
  std::ifstream list(WIRELAW_SOURCE_DIR "/harness/campaign/seeded_faults.tsv");
  std::size_t faults = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream columns(line);
    std::string protocol, exchange, deviation;
    std::getline(columns, protocol, '\t');
    std::getline(columns, exchange, '\t');
    std::getline(columns, deviation, '\t');
    const auto outcome = run(protocol, {deviation}, 1500, {}, deviation);
    ASSERT_TRUE(outcome) << outcome.error();
    EXPECT_FALSE(outcome->signatures.empty()) << deviation;
    for (const std::string& signature : outcome->signatures) {
      const auto json = read_json(path(deviation + "/findings/" + folder_name(signature) + "/finding.json"));
      ASSERT_TRUE(json) << json.error();
      EXPECT_EQ((*json)["replays"]["came_back"], 3) << deviation << ": " << signature;
    }
    ++faults;
  }
  EXPECT_EQ(faults, 20u);
}

TEST_F(CampaignTest, AnHonestPeerIsLeftInPeace) {
  for (const char* protocol : {"ramcloud", "umsp", "rdmap", "smbd", "efa"}) {
    const auto outcome = run(protocol, {}, 400, {}, protocol);
    ASSERT_TRUE(outcome) << outcome.error();
    EXPECT_THAT(outcome->signatures, IsEmpty()) << protocol;
    EXPECT_EQ(outcome->statistics.runs, 400u);
    EXPECT_GT(outcome->statistics.corpus, 0u);
  }
}

// Both peers are silent after a change that leaves nothing to answer. A wait that exceeds all timers distinguishes
// them.
TEST(Tester, FindsAPeerThatIsStuckAndNoneThatWaitsOrEnds) {
  const auto oracles = [](std::vector<std::string> deviations, const Edit& edit) {
    MemoryArena memory("rdmap", std::move(deviations));
    Tester tester(memory.arena());
    const Trial trial = tester.run({.test_case = "ddp/responder-places-sends", .edits = {edit}}, kPace);
    std::vector<std::string_view> words;
    for (const Breach& one : trial.breaches) words.push_back(word_of(one.oracle));
    return words;
  };
  const Edit bad_key{.op = Op::put, .message = 0, .offset = 0, .octets = {'m'}};
  const Edit long_private_data{.op = Op::put, .message = 0, .offset = 18, .octets = {0x01, 0xff}};
  const Edit short_start{.op = Op::truncate, .message = 0, .offset = 19};
  const Edit reserved_opcode{.op = Op::put, .message = 1, .offset = 3, .octets = {0x4f}, .repair = true};
  const Edit long_ulpdu{.op = Op::put, .message = 1, .offset = 0, .octets = {0xff, 0xff}};
  const Edit nothing_more{.op = Op::cut, .message = 1};
  for (const Edit& one : {bad_key, long_private_data, short_start, reserved_opcode, long_ulpdu, nothing_more})
    EXPECT_THAT(oracles({}, one), IsEmpty()) << word_of(one.op) << " " << one.message << " " << one.offset;
  EXPECT_THAT(oracles({"dies-of-bad-start"}, bad_key), ElementsAre("stuck"));
  EXPECT_THAT(oracles({"dies-of-bad-opcode"}, reserved_opcode), ElementsAre("stuck"));
  EXPECT_THAT(oracles({"dies-of-bad-opcode"}, bad_key), IsEmpty());
  EXPECT_THAT(oracles({"dies-of-bad-start"}, long_ulpdu), IsEmpty());
}

TEST_F(CampaignTest, GoesOnAsIfItHadNotBeenStopped) {
  ASSERT_TRUE(run("ramcloud", {"no-ack"}, 200, {}, "whole"));
  for (const std::uint64_t runs : {1u, 79u, 120u}) ASSERT_TRUE(run("ramcloud", {"no-ack"}, runs, {}, "parts"));
  expect_same("parts", "whole");
}

TEST_F(CampaignTest, TheSameSeedGivesTheSameAndAnotherGivesOther) {
  ASSERT_TRUE(run("ramcloud", {}, 250, {}, "a", 7));
  ASSERT_TRUE(run("ramcloud", {}, 250, {}, "b", 7));
  ASSERT_TRUE(run("ramcloud", {}, 250, {}, "c", 8));
  const auto reached = [&](const char* name) { return (*read_json(path(name) + "/state.json"))["reached"]; };
  EXPECT_TRUE(reached("a") == reached("b"));
  EXPECT_FALSE(reached("a") == reached("c"));
}

TEST_F(CampaignTest, TwoBecomeOneThatCanBeGoneOnWith) {
  const auto one = run("ramcloud", {"no-ack"}, 150, {}, "one", 1), other = run("ramcloud", {}, 150, {}, "other", 2);
  ASSERT_TRUE(one && other);
  const auto merged = merge({path("one"), path("other")}, path("both"));
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_EQ(merged->findings, one->signatures.size());
  EXPECT_GE(merged->entries, std::max(one->statistics.corpus, other->statistics.corpus));
  const auto further = run("ramcloud", {"no-ack"}, 10, {}, "both");
  ASSERT_TRUE(further) << further.error();
  EXPECT_EQ(further->statistics.runs, 310u);
  EXPECT_EQ(further->signatures, one->signatures);
  const auto again = merge({path("one")}, path("both")), none = merge({path("none")}, path("new"));
  ASSERT_TRUE(!again && !none);
  EXPECT_THAT(again.error(), HasSubstr("holds a campaign already"));
  EXPECT_THAT(none.error(), HasSubstr("none/campaign.json"));
}

TEST_F(CampaignTest, RefusesAFolderThatIsAnotherCampaign) {
  ASSERT_TRUE(run("ramcloud", {}, 2));
  EXPECT_THAT(run("umsp", {}, 2).error(), HasSubstr("differs in its protocol"));
  EXPECT_THAT(run("ramcloud", {}, 2, {}, "one", 9).error(), HasSubstr("differs in its seed (1 there, 9 here)"));
  EXPECT_THAT(run("ramcloud", {}, 2, {"no-such*"}).error(), HasSubstr("no case"));
}

TEST_F(CampaignTest, ReplaysThatNeverTookPlaceAreNotCounted) {
  MemoryArena memory("ramcloud", {});
  Arena arena = memory.arena();
  unsigned left = 2;
  arena.meet = [&, meet = arena.meet](std::uint64_t seed) -> tl::expected<Iut*, TransportError> {
    if (left-- == 0) return tl::unexpected(TransportError{"nobody is there", ""});
    return meet(seed);
  };
  Tester tester(arena);
  const Input input{.test_case = std::string(tester.cases().front()->id)};
  const Replays replays = replay(tester, input, "rule NONE", kPace, 5);
  EXPECT_EQ(replays.times, 2u);
  EXPECT_EQ(replays.came_back, 0u);
  ASSERT_TRUE(replays.lost);
  EXPECT_EQ(replays.lost->message, "nobody is there");

  const Replays skipped = replay(tester, {.test_case = "no/such-case"}, "rule NONE", kPace, 5);
  EXPECT_EQ(skipped.times, 0u);
  EXPECT_TRUE(skipped.is_skipped);
}

// The behaviour of an input, and whether it is a finding, depend on each of them.
TEST_F(CampaignTest, RefusesAFolderOfAnotherPeerOrOtherChoices) {
  MemoryArena memory("ramcloud", {});
  const Config first{
      .folder = path("one"), .peer = "memory:", .trial_pace = kPace, .confirming_pace = kPace, .runs = 2};
  const auto refusal = [&](const Config& config, const Arena& arena) {
    Tester tester(arena);
    auto campaign = Campaign::open(tester, config);
    if (!campaign) return campaign.error();
    const auto outcome = campaign->run();
    return outcome ? "" : outcome.error();
  };
  EXPECT_EQ(refusal(first, memory.arena()), "");
  EXPECT_EQ(refusal(first, memory.arena()), "");

  const std::vector<std::pair<std::string, std::function<void(Config&)>>> kChoices{
      {"peer (\"memory:\" there, \"udp://h:1\" here)", [](Config& one) { one.peer = "udp://h:1"; }},
      {"start (\"\" there, \"serve\" here)", [](Config& one) { one.start = "serve"; }},
      {"deviations", [](Config& one) { one.deviations = {"no-ack"}; }},
      {"guidance (\"protocol\" there, \"none\" here)", [](Config& one) { one.planning.guidance = Guidance::none; }},
      {"repair (80 there, 79 here)", [](Config& one) { one.planning.repair_percent = 79; }}};
  for (const auto& [says, change] : kChoices) {
    Config config = first;
    change(config);
    EXPECT_THAT(refusal(config, memory.arena()), HasSubstr("this campaign differs in its " + says));
  }
  const std::vector<std::pair<std::string, std::function<void(Arena&)>>> kPeers{
      {"application", [](Arena& one) { one.application = Service::count; }},
      {"features", [](Arena& one) { one.features = {"x"}; }},
      {"revision", [](Arena& one) { one.revision = "2"; }},
      {"limits", [](Arena& one) { one.use.descriptors = 7; }}};
  for (const auto& [says, change] : kPeers) {
    Arena arena = memory.arena();
    change(arena);
    EXPECT_THAT(refusal(first, arena), HasSubstr("this campaign differs in its " + says));
  }
}

// One finding takes hundreds of trials. Each lasts as long as a peer that hangs delays it.
TEST_F(CampaignTest, TheWatchdogIsSetAnewForEachTrial) {
  MemoryArena memory("ramcloud", {});
  Arena arena = memory.arena();
  Watchdog watchdog(SIG_IGN);
  arena.watchdog = &watchdog;
  Tester tester(arena);
  for (const unsigned nearly_over : {60u, 120u}) {
    ::alarm(nearly_over);
    tester.run({.test_case = std::string(tester.cases().front()->id)}, kPace);
    EXPECT_GT(::alarm(nearly_over), 120u);
    tester.greet(kPace);
    EXPECT_GT(::alarm(0), 120u);
  }
}

TEST(StepOf, IsTheMessageThatShowsTheFindingAndNotTheLast) {
  const std::vector<Step> steps{{false, "asks", "asks 1", {1, 2, 3}},
                                {true, "answers", "answers 1", {1, 2, 9}},
                                {true, "answers again", "answers again 1", {1, 2, 9}},
                                {true, "says farewell", "says farewell 1", {1, 2, 3}}};
  Finding finding;
  finding.offset = 2;
  finding.octets = {9};
  finding.message = 2;
  EXPECT_EQ(step_of(finding, steps), &steps[1]);
  finding.message = 7;  // from another flow, or beyond the messages that are kept
  EXPECT_EQ(step_of(finding, steps), &steps[2]);
  finding.message = 1;  // the tester's
  finding.octets = {3};
  EXPECT_EQ(step_of(finding, steps), &steps[3]);
  finding.octets = {4};
  EXPECT_EQ(step_of(finding, steps), nullptr);
  finding.offset = 5;
  EXPECT_EQ(step_of(finding, steps), nullptr);

  Finding absent;
  absent.message = 2;
  EXPECT_EQ(step_of(absent, steps), nullptr);
  finding.offset = 2;
  finding.octets = {9};
  finding.unanswered = true;
  EXPECT_EQ(step_of(finding, steps), nullptr);
}

TEST_F(CampaignTest, ABreachNamesTheMessageThatShowsIt) {
  MemoryArena memory("ramcloud", {"reserved1-sent"});
  Tester tester(memory.arena());
  const Trial trial = tester.run({.test_case = "sessionToken/the-given-token-is-accepted"}, kPace);
  ASSERT_THAT(trial.breaches, SizeIs(1));
  ASSERT_NE(trial.breaches[0].rule, nullptr);
  EXPECT_THAT(trial.breaches[0].kind, StartsWith("S>C DATA"));
}

TEST(FolderName, OfLongSignaturesWithOneBeginIsOfEachItsOwn) {
  const std::string frames = "sanitizer AddressSanitizer: heap-use-after-free in " + std::string(60, 'f');
  EXPECT_EQ(folder_name("rule RAMCLOUD-ack-5"), "rule-RAMCLOUD-ack-5");
  EXPECT_NE(folder_name(frames + " < decode"), folder_name(frames + " < receive"));
  EXPECT_EQ(folder_name(frames + " < decode"), folder_name(frames + " < decode"));
  EXPECT_THAT(folder_name(frames + " < decode"), MatchesRegex("sanitizer-AddressSanitizer-.*f-[0-9a-f]{8}"));
  EXPECT_EQ(folder_name(frames.substr(0, 100)).size(), 99u) << "nothing of it is cut";
}

TEST_F(CampaignTest, AFolderIsLockedByOneAtATime) {
  fs::create_directories(folder);
  {
    const auto lock = FolderLock::take(folder.string()), second = FolderLock::take(folder.string());
    ASSERT_TRUE(lock) << lock.error();
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error(), HasSubstr("a campaign runs in it; name another folder"));
  }
  EXPECT_TRUE(FolderLock::take(folder.string()));
  std::ofstream(path("file")) << "no folder";
  EXPECT_THAT(FolderLock::take(path("file")).error(), HasSubstr("file: Not a directory"));
}

TEST_F(CampaignTest, SaysWhichFileItCannotRead) {
  ASSERT_TRUE(run("ramcloud", {}, 3));
  std::ofstream(path("one/corpus/000001.json")) << "{\"input\": 7}";
  EXPECT_THAT(run("ramcloud", {}, 1).error(), HasSubstr("000001.json"));
  std::ofstream(path("one/campaign.json")) << "[";
  EXPECT_THAT(run("ramcloud", {}, 1).error(), HasSubstr("campaign.json: is no JSON object"));
}

}  // namespace
}  // namespace wirelaw::campaign
