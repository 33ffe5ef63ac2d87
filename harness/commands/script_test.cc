// SPDX-License-Identifier: Apache-2.0
// Scripts as users run them: `wirelaw script`, `check`, `decode` and `test --script`.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/commands/program_test.h"

namespace wirelaw {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ScriptCommand : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + name; }
  std::string write(const std::string& name, const std::string& text) {
    write_file(path(name), text);
    return path(name);
  }

 private:
  std::string folder_ = fmt::format("{}script_{}/", testing::TempDir(), getpid());
};

constexpr const char* kAnswersAgain =
    "protocol ramcloud\n"
    "case answers-again \"A server answers a request that comes twice.\"\n"
    "rule RAMCLOUD-old-12\n"
    "a DATA as $request\n"
    "b DATA as $answer\n"
    "a again $request\n"
    "b DATA rpc_id=$answer.rpc_id payload=$answer.payload\n"
    "control\n";

TEST_F(ScriptCommand, ACaseFailsAPeerWithTheFaultAndPassesOneWithout) {
  const std::string file = write("again.wirelaw", kAnswersAgain);
  const auto honest = run_wirelaw({"test", "ramcloud", "memory:", "--script", file, "-v"});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
  EXPECT_THAT(honest.out, HasSubstr("script/again/answers-again"));
  const auto faulty = run_wirelaw({"test", "ramcloud", "memory:", "--script", file, "--deviate", "no-stored-response"});
  EXPECT_EQ(faulty.status, 1) << faulty.out << faulty.err;
  EXPECT_THAT(faulty.out, HasSubstr("RAMCLOUD-old-12"));
}

TEST_F(ScriptCommand, SilenceCountsOnlyIfAnHonestExchangeIsStillServed) {
  const std::string file = write("drop.wirelaw",
                                 "protocol ramcloud\n"
                                 "case drops \"A server drops a packet that asks for it.\"\n"
                                 "rule RAMCLOUD-pleaseDrop-1\n"
                                 "a DATA\n"
                                 "b DATA\n"
                                 "a DATA please_drop=1\n"
                                 "b silence\n"
                                 "control\n");
  const auto honest = run_wirelaw({"test", "ramcloud", "memory:", "--script", file});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
  const auto faulty =
      run_wirelaw({"test", "ramcloud", "memory:", "--script", file, "--deviate", "please-drop-ignored"});
  EXPECT_EQ(faulty.status, 1) << faulty.out << faulty.err;
}

TEST_F(ScriptCommand, WhatCameBeforeTheLatestStimulusBreaksNoSilence) {
  const std::string file = write("late.wirelaw",
                                 "protocol ramcloud\n"
                                 "case late \"The answer to the first request is there before the second is sent.\"\n"
                                 "rule RAMCLOUD-pleaseDrop-1\n"
                                 "a DATA\n"
                                 "pause 100ms\n"
                                 "a DATA please_drop=1\n"
                                 "b silence\n"
                                 "control\n");
  const auto honest = run_wirelaw({"test", "ramcloud", "memory:", "--script", file});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
  const auto faulty =
      run_wirelaw({"test", "ramcloud", "memory:", "--script", file, "--deviate", "please-drop-ignored"});
  EXPECT_EQ(faulty.status, 1) << faulty.out << faulty.err;
}

TEST_F(ScriptCommand, IdsThatThePeerChoosesAreBound) {
  const std::string file = write("efa.wirelaw",
                                 "protocol efa\n"
                                 "case window \"A receiver grants the whole message in windows.\"\n"
                                 "rule EFA-3.2-231\n"
                                 "a LONGCTS_MSGRTM msg_length=300 size=100 as $m\n"
                                 "b CTS send_id=$m.send_id recv_length=1..200 as $w\n"
                                 "a CTSDATA recv_id=$w.recv_id\n"
                                 "control\n");
  const auto honest = run_wirelaw({"test", "efa", "memory:", "--script", file});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
}

// A capture of a peer is played against another run of it, in which its padding is another, and a HANDSHAKE is received
// sooner or later.
TEST_F(ScriptCommand, WhatDiffersBetweenRunsIsComparedOnlyIfTheScriptIsStrict) {
  const auto status_of = [&](const std::string& settings, const std::string& expected) {
    const std::string text =
        fmt::format("protocol efa\ncase x\n{}rule EFA-3.2-211\na EAGER_MSGRTM payload=\"again\"\n{}\ncontrol\n",
                    settings, expected);
    return run_wirelaw({"test", "efa", "memory:", "--script", write("loose.wirelaw", text)}).status;
  };
  EXPECT_EQ(status_of("bare\n", "b HANDSHAKE connid_padding=0xffff0000"), 0);
  EXPECT_EQ(status_of("bare\nstrict\n", "b HANDSHAKE connid_padding=0xffff0000"), 1);
  EXPECT_EQ(status_of("bare\n", "b HANDSHAKE version=7"), 1);
  EXPECT_EQ(status_of("", "b EAGER_MSGRTM payload=\"again\" raw_addr_size=36"), 0);
  EXPECT_EQ(status_of("strict\n", "b EAGER_MSGRTM payload=\"again\" raw_addr_size=36"), 1);
  EXPECT_EQ(status_of("", "b EAGER_MSGRTM payload=\"other\" raw_addr_size=36"), 1);
}

TEST_F(ScriptCommand, AnInitiatorOfAStreamIsTestedByTheLinesOfTheResponder) {
  const std::string file = write("initiator.wirelaw",
                                 "protocol rdmap\n"
                                 "case initiator \"An initiator terminates when a CRC does not hold.\"\n"
                                 "iut a\n"
                                 "rule MPA-8-2\n"
                                 "a Send\n"
                                 "b Send size=8 / fpdu crc^=1\n"
                                 "a Terminate layer=2 etype=0 errcode=2\n");
  const auto honest = run_wirelaw({"test", "rdmap", "memory:", "--role", "initiator", "--script", file});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
  const auto faulty = run_wirelaw(
      {"test", "rdmap", "memory:", "--role", "initiator", "--script", file, "--deviate", "crc-not-checked"});
  EXPECT_EQ(faulty.status, 1) << faulty.out << faulty.err;
}

// The requests have the size and the number that the script asks for.
TEST_F(ScriptCommand, TheApplicationOfAnInitiatorIsAskedForOperations) {
  constexpr const char* kTwo =
      "a DATA as $first\n"
      "b DATA payload=$first.payload\n"
      "a DATA rpc_id=$first.rpc_id+1\n";
  constexpr const char* kLarge = "a DATA total_frags=3 frag_number=2\n";
  struct Row {
    const char *asks, *lines, *verdict;
  };
  for (const Row& row : {Row{"asks 64 2\n", kTwo, "pass"}, Row{"asks 64\n", kTwo, "fail"}, Row{"", kTwo, "fail"},
                         Row{"asks 3000\n", kLarge, "pass"}, Row{"let $n = 3000\nasks $n 1\n", kLarge, "pass"},
                         Row{"", kLarge, "fail"}}) {
    const std::string file = write("asks.wirelaw", fmt::format("protocol ramcloud\n"
                                                               "case two \"A client sends what it is asked for.\"\n"
                                                               "iut a\n"
                                                               "{}rule RAMCLOUD-session-7\n{}",
                                                               row.asks, row.lines));
    const auto run =
        run_wirelaw({"test", "ramcloud", "memory:", "--role", "client", "--script", file, "--format", "json"});
    const auto json = nlohmann::json::parse(run.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << run.err;
    EXPECT_EQ(json["cases"][0]["verdict"], row.verdict) << row.asks << row.lines << json["cases"];
  }
}

TEST_F(ScriptCommand, OnlyTheApplicationOfATestedInitiatorIsAsked) {
  const auto said = [&](const char* lines) {
    const std::string file = write("asks.wirelaw", fmt::format("protocol ramcloud\ncase x\n{}rule RAMCLOUD-session-7\n"
                                                               "a DATA\nb DATA\n",
                                                               lines));
    const auto run = run_wirelaw({"test", "ramcloud", "memory:", "--role", "client", "--script", file});
    return run.err + run.out;
  };
  EXPECT_THAT(said("asks 64\n"), HasSubstr("only the application of side a can be asked"));
  EXPECT_THAT(said("iut a\nasks 0\n"), HasSubstr("asks: a number from 1 to 1048576 is expected"));
  EXPECT_THAT(said("iut a\nasks 64 1001\n"), HasSubstr("asks: a number from 1 to 1000 is expected"));
}

// A session that is opened over one connection is used over a second one, which the other node may have opened. Written
// as two traces, both would use a session that nobody opened.
TEST_F(ScriptCommand, ConnectionsOfOneConversationAreWrittenAsOneTrace) {
  const std::string opened =
      "trace two \"A session uses two connections.\"\n"
      "protocol umsp\n"
      "nodes 192.0.2.1:31200 192.0.2.2:2110\n"
      "{}"
      "bare\n"
      "a SESSION_OPEN required_vm_type=49200 required_vm_version=1 gjid=hex:42c000020200000011 ltid=0xa1\n"
      "b SESSION_ACCEPT\n"
      "{}"
      "a#2 WRITE opcode=134 memory_address=0x2000 data=hex:00000001\n"
      "b#2 RSP\n"
      "a SESSION_CLOSE\n"
      "b RSP_P\n";
  struct Row {
    const char *nodes, *open, *shown;
  };
  for (const Row& row :
       {Row{"", "", "nodes 192.0.2.1:31201 192.0.2.2:2110 2\n"},
        Row{"nodes 192.0.2.1:50000 192.0.2.2:2110 2\n", "", "nodes 192.0.2.1:50000 192.0.2.2:2110 2\n"},
        Row{"nodes 192.0.2.1:2110 192.0.2.2:40000 2\n", "b#2 open\na#2 open\n",
            "nodes 192.0.2.1:2110 192.0.2.2:40000 2\n"}}) {
    const auto convert = [&](const std::vector<std::string>& words) {
      const auto run = run_wirelaw(words);
      EXPECT_EQ(run.status, 0) << run.out << run.err;
      return run.out;
    };
    const std::string first = write("first.wirelaw", fmt::format(fmt::runtime(opened), row.nodes, row.open));
    EXPECT_THAT(convert({"check", first, "-v"}), HasSubstr("PASS: nothing failed")) << row.shown;
    convert({"script", "capture", first, "-o", path("first.pcapng")});
    const std::string text = convert({"decode", "--format", "script", path("first.pcapng")});
    EXPECT_THAT(text,
                AllOf(HasSubstr(row.shown), HasSubstr("flows 1 and 2."), HasSubstr("\na#2 "), HasSubstr("\nb#2 ")));
    const std::string second = write("second.wirelaw", text);
    convert({"check", second});
    convert({"script", "capture", second, "-o", path("second.pcapng")});
    EXPECT_EQ(convert({"decode", path("first.pcapng")}), convert({"decode", path("second.pcapng")}));
    EXPECT_THAT(convert({"decode", "--format", "script", "--flow", "2", path("first.pcapng")}),
                HasSubstr("flows 1 and 2."));
  }
}

TEST_F(ScriptCommand, SaysWhatCameInsteadOfWhatALineExpects) {
  struct Row {
    const char *line, *expected, *actual;
  };
  for (const Row& row : {
           Row{"b DATA frag_number=3 total_frags=1..2", "DATA frag_number=3 total_frags=1..2 (line 5 of the script)",
               "within 2 s came DATA with frag_number=0"},
           Row{"b DATA session_token=*  total_frags=7", "DATA session_token=* total_frags=7 (line 5 of the script)",
               "within 2 s came DATA with total_frags=1"},
           Row{"b DATA size=9999", "DATA size=9999 (line 5 of the script)", "within 2 s came DATA with size="},
           Row{"b DATA payload=hex:000102030405060708090a0b0c0d0e0f1011",
               "DATA payload=hex:000102030405060708090a0b0c0d0e0f... (line 5 of the script)",
               "within 2 s came DATA with payload=hex:"},
           Row{"b ACK", "ACK (line 5 of the script)", "within 2 s came DATA"},
       }) {
    const std::string file = write("differs.wirelaw", fmt::format("protocol ramcloud\n"
                                                                  "case differs \"x\"\n"
                                                                  "rule RAMCLOUD-old-12\n"
                                                                  "a DATA\n"
                                                                  "{}\n",
                                                                  row.line));
    const auto run = run_wirelaw({"test", "ramcloud", "memory:", "--script", file, "--format", "json"});
    const auto result = nlohmann::json::parse(run.out, nullptr, false);
    ASSERT_FALSE(result.is_discarded()) << run.out << run.err;
    ASSERT_EQ(result["findings"].size(), 1u) << row.line;
    EXPECT_EQ(result["findings"][0]["expected"], row.expected);
    EXPECT_THAT(std::string(result["findings"][0]["actual"]), testing::StartsWith(row.actual));
  }
}

// One side of a stream is replayed with the STags of the live peer, and the answers are judged.
TEST_F(ScriptCommand, ACaptureOfAStreamBecomesACaseInTwoCommands) {
  const std::string file = write("read.wirelaw",
                                 "protocol rdmap\n"
                                 "trace read\n"
                                 "a Write size=64\n"
                                 "a ReadRequest rdmardsz=64\n"
                                 "b ReadResponse\n");
  const std::string capture = path("field.pcapng");
  ASSERT_EQ(run_wirelaw({"script", "capture", file, "-o", capture}).status, 0);
  const auto decoded = run_wirelaw({"decode", "--format", "script", "--iut", "192.0.2.2:21200", capture});
  EXPECT_EQ(decoded.status, 0) << decoded.err;
  EXPECT_THAT(decoded.out, AllOf(HasSubstr("\na open\n"), HasSubstr("\na MpaRequest\n"),
                                 HasSubstr("\nb ReadResponse\n"), Not(HasSubstr("raw"))));
  const std::string replay = write("field.wirelaw", "rule RDMAP-5.2.1-10\n" + decoded.out);
  const auto honest = run_wirelaw({"test", "rdmap", "memory:", "--script", replay});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
  const auto faulty = run_wirelaw({"test", "rdmap", "memory:", "--script", replay, "--deviate", "response-missing"});
  EXPECT_EQ(faulty.status, 1) << faulty.out << faulty.err;
}

// Another peer has other ids: STags in its private data and in the headers that its Terminates quote, and the tokens of
// several sessions.
TEST_F(ScriptCommand, ACaptureOfOnePeerIsReplayedAgainstAnother) {
  struct Row {
    std::string protocol, name, rule, uses;
  };
  const Row kCases[] = {
      {"rdmap", "rdmap/responder-answers-reads", "RDMAP-5.2.1-3", "a ReadRequest"},
      {"rdmap", "rdmap/responder-refuses-reads-behind-the-buffer", "RDMAP-7.1-4", "srcto=$m1.buffer[0].to+"},
      {"rdmap", "ddp/responder-refuses-writes-across-the-end", "DDP-7.1-1", "tagged_offset=$m1.buffer[0].to+"},
      {"rdmap", "ddp/responder-refuses-writes-to-an-empty-buffer", "DDP-7.1-8", "stag=$m1.buffer[3].stag"},
      {"rdmap", "rdmap/responder-refuses-short-read-requests", "RDMAP-5.2.1-5",
       "errcode=0x7 ddp_seg_len=42 ddp_h=hex:"},
      {"rdmap", "rdmap/responder-blames-the-read-before-the-send", "RDMAP-7.1-9", " rdma_h=hex:"},
      {"ramcloud", "session/sessions-are-independent", "RAMCLOUD-session-4",
       "server_session_hint=$m4.server_session_hint"},
      {"smbd", "data/listener-takes-a-negotiate-message-for-data", "SMBD-3.1.5.5-5", "protocol smbd"}};
  for (const auto& [protocol, name, rule, uses] : kCases) {
    const std::string capture = path("field.pcapng");
    const auto recorded =
        run_wirelaw({"test", protocol, "memory:", "--case", name, "--seed", "7", "--record", capture});
    ASSERT_EQ(recorded.status, 0) << name << recorded.err;
    const auto decoded = run_wirelaw({"decode", "--format", "script", "--flow", "1", capture});  // 2 is a control
    ASSERT_EQ(decoded.status, 0) << name << decoded.err;
    EXPECT_THAT(decoded.out, HasSubstr(uses)) << name;
    const std::string replay = write("field.wirelaw", fmt::format("rule {}\niut b\n{}", rule, decoded.out));
    const auto honest = run_wirelaw({"test", protocol, "memory:", "--script", replay});
    EXPECT_EQ(honest.status, 0) << name << honest.out << honest.err;
  }
}

// A datagram of UMSP is a line of its own.
TEST_F(ScriptCommand, ACaptureOfDatagramsOfUmspIsWritten) {
  const std::string file = write("udp.wirelaw",
                                 "protocol umsp\n"
                                 "over udp\n"
                                 "trace datagrams \"The conversation between 192.0.2.1:31200 and 192.0.2.2:21200.\"\n"
                                 "a SESSION_OPEN gjid=hex:42c000020200000011 ltid=0xa1\n"
                                 "b SESSION_ACCEPT\n");
  const std::string capture = path("udp.pcapng");
  ASSERT_EQ(run_wirelaw({"script", "capture", file, "-o", capture}).status, 0);
  const auto decoded = run_wirelaw({"decode", "--format", "script", capture});
  EXPECT_EQ(decoded.status, 0) << decoded.err;
  EXPECT_THAT(decoded.out, AllOf(HasSubstr("\nover udp\n"), HasSubstr("\na SESSION_OPEN"), Not(HasSubstr("raw"))));
  const std::string again = path("again.pcapng");
  ASSERT_EQ(run_wirelaw({"script", "capture", write("again.wirelaw", decoded.out), "-o", again}).status, 0);
  EXPECT_EQ(read_file(again), read_file(capture));
}

// Both sides of EFA choose their operation ids, which may be equal by chance: the next peer chooses others.
TEST_F(ScriptCommand, EqualNumbersAreNotTakenForOneId) {
  const std::string capture = path("field.pcapng");
  ASSERT_EQ(run_wirelaw({"test", "efa", "memory:", "--case", "read/*long-cts*", "--record", capture}).status, 0);
  const auto decoded = run_wirelaw({"decode", "--format", "script", capture});
  EXPECT_THAT(decoded.out, AllOf(HasSubstr("CTS"), HasSubstr("recv_id="), Not(HasSubstr("=$"))));
}

// A peer that does not start the conversation has not broken the rule that the rest of it decides.
TEST_F(ScriptCommand, TheStartOfABareScriptDecidesItsRuleOnlyIfItSaysSo) {
  struct Row {
    std::string steps, verdict;
  };
  const Row kScripts[] = {{"a MpaRequest\nb MpaReply\na Send size=8\nb Send size=8\n", "not-exercised"},
                          {"a MpaRequest\nb MpaReply ! DDP-4.1-2\na Send size=8\nb Send size=8\n", "fail"},
                          {"a MpaRequest\nb MpaReply\n", "fail"}};
  for (const auto& [steps, verdict] : kScripts) {
    const std::string file = write("bare.wirelaw", "protocol rdmap\ncase one\nrule DDP-4.1-2\nbare\n" + steps);
    const std::vector<std::string> words{"test", "rdmap", "memory:", "--script", file, "--format", "json"};
    EXPECT_EQ(run_wirelaw(words).status, 0) << steps;
    std::vector<std::string> silent = words;
    silent.insert(silent.end(), {"--deviate", "reply-missing"});
    const auto result = nlohmann::json::parse(run_wirelaw(silent).out, nullptr, false);
    ASSERT_FALSE(result.is_discarded()) << steps;
    const auto rule = std::ranges::find(result["rules"], "DDP-4.1-2", [](const auto& one) { return one["id"]; });
    ASSERT_NE(rule, result["rules"].end()) << steps;
    EXPECT_EQ((*rule)["verdict"], verdict) << steps;
  }
}

// What comes while a line waits for a message that must not come is for the lines after it.
TEST_F(ScriptCommand, WhatIsNotDeniedIsKeptForTheNextLine) {
  const std::string head = "protocol ramcloud\ncase one\nrule RAMCLOUD-old-12\na DATA\n";
  const std::vector<std::string> words{"test", "ramcloud", "memory:", "--script", path("not.wirelaw")};
  write("not.wirelaw", head + "b not ACK\nb DATA\ncontrol\n");
  const auto honest = run_wirelaw(words);
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
  write("not.wirelaw", head + "b not DATA\ncontrol\n");
  const auto came = run_wirelaw(words);
  EXPECT_EQ(came.status, 1);
  EXPECT_THAT(came.out, AllOf(HasSubstr("no DATA"), HasSubstr("DATA came"), Not(HasSubstr("nothing came"))));
}

// The peer answers with the id that the tester has chosen, so a number is compared.
TEST_F(ScriptCommand, TheTestersOwnIdsAreCompared) {
  const std::vector<std::string> words{"test", "efa", "memory:", "--script", path("ids.wirelaw")};
  const std::string head = "protocol efa\ncase one\nrule EFA-3.2-100\n";
  for (const auto& [id, status] : {std::pair{42, 0}, {43, 1}}) {
    write("ids.wirelaw", head + fmt::format("a LONGCTS_MSGRTM msg_length=300 size=100 send_id=42\n"
                                            "b CTS send_id={} recv_id=12345\n",
                                            id));
    const auto result = run_wirelaw(words);
    EXPECT_EQ(result.status, status) << id << result.out << result.err;
  }
}

// A control opens a new connection, which a conversation that is judged does not have.
TEST_F(ScriptCommand, NothingFollowsAControlInAStream) {
  const std::string file = write("after.wirelaw",
                                 "protocol rdmap\ncase one\nrule DDP-4.1-2\n"
                                 "a Send size=8\nb Send\ncontrol\na Send size=8\n");
  const auto checked = run_wirelaw({"script", "check", file});
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.err, HasSubstr("after.wirelaw:7:1: 'control' opens a new connection"));
}

TEST_F(ScriptCommand, APassWithoutExpectationsSaysThatNothingWasExpected) {
  const std::string note =
      "no line of the script expects anything; what the peer sent broke no rule that traffic shows";
  const std::string open = write("open.wirelaw", "protocol ramcloud\ncase one\na DATA\nb any | silence\n");
  const std::string result = path("result.json");
  const auto run = run_wirelaw(
      {"test", "ramcloud", "memory:", "--script", open, "--format", "text", "--format", "json", "-o", result});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\n  pass           script/open/one\n      no line of the script expects anything;"));
  const auto cases = nlohmann::json::parse(read_file(result))["cases"];
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0]["verdict"], "pass");
  EXPECT_EQ(cases[0]["reason"], note);
  const auto decided = run_wirelaw({"test", "ramcloud", "memory:", "--script", write("again.wirelaw", kAnswersAgain)});
  EXPECT_EQ(decided.status, 0) << decided.err;
  EXPECT_THAT(decided.out, Not(HasSubstr("expects anything")));
  const auto broken = run_wirelaw({"test", "ramcloud", "memory:", "--script", open, "--deviate", "reserved1-sent"});
  EXPECT_EQ(broken.status, 1) << broken.err;
  EXPECT_THAT(broken.out, Not(HasSubstr("expects anything")));
}

TEST_F(ScriptCommand, AMarkOfAnExpectationClaimsNoViolation) {
  const std::string file = write("decides.wirelaw",
                                 "protocol efa\ncase one\nrule EFA-3.2-1 EFA-3.2-100\n"
                                 "a LONGCTS_MSGRTM msg_length=300 size=100\nb CTS  ! EFA-3.2-100\n");
  const auto checked = run_wirelaw({"script", "check", file});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST_F(ScriptCommand, ATimeNeedsAUnitAlsoIfTheScriptIsJudged) {
  const std::string file =
      write("unit.wirelaw", "protocol ramcloud\ncase one\nrule RAMCLOUD-old-12\na DATA\nb DATA within 5\n");
  const auto checked = run_wirelaw({"script", "check", file});
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.err, HasSubstr("a time needs a unit"));
}

// The judge watches frames: the next peer may pad and check its FPDUs in another way.
TEST_F(ScriptCommand, AReplayDoesNotCompareFrames) {
  const std::string capture = path("field.pcapng");
  run_wirelaw({"test", "rdmap", "memory:", "--case", "ddp/responder-places-sends", "--deviate", "pad-not-zero",
               "--record", capture});
  const auto decoded = run_wirelaw({"decode", "--format", "script", "--flow", "1", capture});
  ASSERT_THAT(decoded.out, HasSubstr(" / fpdu pad="));
  const std::string replay = write("field.wirelaw", "rule DDP-4.1-2\niut b\n" + decoded.out);
  const auto honest = run_wirelaw({"test", "rdmap", "memory:", "--script", replay});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
}

TEST_F(ScriptCommand, ACaptureBecomesACaseInTwoCommands) {
  const std::string file = write("again.wirelaw", kAnswersAgain), capture = path("field.pcapng");
  ASSERT_EQ(run_wirelaw({"script", "capture", file, "-o", capture}).status, 0);
  const auto decoded = run_wirelaw({"decode", "--format", "script", "--iut", "192.0.2.2:21200", capture});
  EXPECT_EQ(decoded.status, 0) << decoded.err;
  EXPECT_THAT(decoded.out, AllOf(HasSubstr("iut b\n"), HasSubstr("\nb DATA\n"), Not(HasSubstr("raw"))));
  const std::string replay = write("field.wirelaw", "rule RAMCLOUD-old-12\n" + decoded.out);
  const auto honest = run_wirelaw({"test", "ramcloud", "memory:", "--script", replay});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
  const auto faulty =
      run_wirelaw({"test", "ramcloud", "memory:", "--script", replay, "--deviate", "no-stored-response"});
  EXPECT_EQ(faulty.status, 1) << faulty.out << faulty.err;
}

TEST_F(ScriptCommand, CheckAndDecodeReadScriptsAsCaptures) {
  const std::string file = write("two.wirelaw",
                                 "protocol ramcloud\n"
                                 "trace whole\n"
                                 "a DATA\n"
                                 "b DATA\n"
                                 "trace short\n"
                                 "a DATA cut 25  ! RAMCLOUD-header-1\n");
  const auto checked = run_wirelaw({"check", file});
  EXPECT_EQ(checked.status, 1) << checked.err;
  EXPECT_THAT(checked.out, AllOf(HasSubstr("RAMCLOUD-header-1"), HasSubstr("two.wirelaw: short")));
  EXPECT_THAT(run_wirelaw({"decode", file}).out, HasSubstr("DATA channel 0 rpc 0"));
  EXPECT_EQ(run_wirelaw({"script", "check", file}).status, 0);
}

TEST_F(ScriptCommand, CheckListsNoFlowForThePauseAtTheEnd) {
  for (const std::string_view steps : {"protocol efa\na EAGER_MSGRTM\n", "protocol rdmap\na Send\n"}) {
    const auto paused = run_wirelaw({"check", write("paused.wirelaw", fmt::format("{}pause 2s\n", steps))});
    EXPECT_EQ(paused.status, 0) << paused.err;
    EXPECT_THAT(paused.out, AllOf(HasSubstr("flows     1: 1 judged"), Not(HasSubstr("198.51.100"))));
  }
}

TEST_F(ScriptCommand, CheckSaysWhatALiveTestRefusesAndGoesOnWithTheOtherFiles) {
  const std::string wrong = write("wrong.wirelaw", "protocol ramcloud\na DATTA\n");
  const std::string no_rule = write("rule.wirelaw", "protocol ramcloud\ncase x\na DATA\nb DATA\n");
  const std::string good = write("good.wirelaw", "protocol ramcloud\na DATA\nb DATA\n");
  const auto checked = run_wirelaw({"script", "check", wrong, no_rule, good});
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.err, HasSubstr("did you mean 'DATA'?"));
  EXPECT_THAT(checked.out, AllOf(HasSubstr("rule.wirelaw:4:1: the script expects something of the IUT"),
                                 HasSubstr("good.wirelaw: the script is judged as it is marked")));
  EXPECT_EQ(run_wirelaw({"script", "check", no_rule, good}).status, 1);
}

TEST_F(ScriptCommand, CheckReportsAMistakeInASharedLineOnce) {
  const std::string wrong = write("wrong.wirelaw",
                                  "protocol ramcloud\na DATA rpc_di=1\n"
                                  "trace x\nb DATA\ntrace y\nb DATA\ntrace z\nb DATA\n");
  const auto checked = run_wirelaw({"script", "check", wrong});
  EXPECT_EQ(checked.status, 2);
  const std::string line = "wrong.wirelaw:2:8: DATA has no field 'rpc_di'";
  EXPECT_THAT(checked.err, HasSubstr(line));
  EXPECT_EQ(checked.err.find(line), checked.err.rfind(line)) << checked.err;
}

// Each example in docs/scripts names a fault of the reference that it finds, and passes without the fault.
TEST(ScriptExamples, FailForTheirFaultAndPassWithoutIt) {
  std::size_t examples = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WIRELAW_SOURCE_DIR "/docs/scripts")) {
    if (entry.path().extension() != ".wirelaw") continue;
    const std::string file = entry.path(), protocol = entry.path().parent_path().filename();
    const std::string text = read_file(file), mark = "# Fails with: --deviate ";
    const auto at = text.find(mark);
    ASSERT_NE(at, std::string::npos) << file;
    const std::string fault = text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
    EXPECT_LE(std::ranges::count(text, '\n'), 12) << file << ": ten lines beside two comments";
    const auto honest = run_wirelaw({"test", protocol, "memory:", "--script", file});
    EXPECT_EQ(honest.status, 0) << file << honest.out << honest.err;
    const auto faulty = run_wirelaw({"test", protocol, "memory:", "--script", file, "--deviate", fault});
    EXPECT_EQ(faulty.status, 1) << file << faulty.out << faulty.err;
    ++examples;
  }
  EXPECT_EQ(examples, 52u);
}

TEST_F(ScriptCommand, WrongUseIsOneLineThatSaysWhatToDo) {
  struct Row {
    std::vector<std::string> words;
    std::string message;
  };
  const std::string wrong = write("wrong.wirelaw", "protocol ramcloud\na DATTA\n");
  const std::string trace = write("trace.wirelaw", "protocol ramcloud\na DATA\n");
  const std::string range = write("range.wirelaw", "protocol ramcloud\na DATA\nb DATA rpc_id=10..1\n");
  const std::string added = write("added.wirelaw", "protocol rdmap\na Send payload+=1\n");
  const std::string no_rule = write("rule.wirelaw", "protocol ramcloud\ncase x\na DATA\nb DATA\n");
  const std::string silent =
      write("silent.wirelaw", "protocol ramcloud\ncase x\nrule RAMCLOUD-ack-5\na DATA\nb silence\n");
  const std::string capture = WIRELAW_SOURCE_DIR "/corpora/ramcloud/violating/RAMCLOUD-ack-5.pcapng";
  const Row rows[] = {
      {{"test", "ramcloud", "memory:", "--script", silent},
       "silent.wirelaw:5:1: this line accepts silence, which a dead peer keeps too; end with a line 'control'"},
      {{"check", wrong}, "wrong.wirelaw:2:3: there is no message 'DATTA'; did you mean 'DATA'?"},
      {{"script", "check", wrong}, "did you mean 'DATA'?"},
      {{"script", "check", range}, "range.wirelaw:3:15: a range begins with its smaller end: 1..10"},
      {{"script", "check", added}, "added.wirelaw:2:8: payload can only be set, with '='"},
      {{"script", "check", path("none.wirelaw")}, "none.wirelaw: cannot be opened: No such file or directory"},
      {{"script", "check", capture},
       fmt::format(
           "{0}: is a capture, not a script; `wirelaw check {0}` judges it, and `wirelaw decode --format script "
           "{0}` writes it as a script\n",
           capture)},
      {{"test", "ramcloud", "memory:", "--script", capture}, "is a capture, not a script; `wirelaw check "},
      {{"script", "list", "ramcloud", "DTA"}, "has no message 'DTA'; did you mean 'DATA'?"},
      {{"script", "capture", trace}, "script capture: name the capture with -o"},
      {{"test", "ramcloud", "memory:", "--script", trace}, "--script: no script is a case"},
      {{"test", "ramcloud", "memory:", "--script", no_rule},
       "rule.wirelaw:4:1: the script expects something of the IUT"},
      {{"test", "efa", "memory:", "--script", no_rule}, "the script is for ramcloud, not for efa"},
  };
  for (const Row& row : rows) {
    const auto run = run_wirelaw(row.words);
    EXPECT_EQ(run.status, 2) << row.message;
    EXPECT_THAT(run.err, HasSubstr(row.message));
  }
}

// Every word of the tables is in the files, and each editor's folder is complete.
TEST_F(ScriptCommand, WritesWhatEditorsHighlightWith) {
  const auto vim = run_wirelaw({"script", "editor", "vim", "-o", path("vim")});
  EXPECT_EQ(vim.status, 0) << vim.err;
  for (const char* const file : {"vim/ftdetect/wirelaw.vim", "vim/ftplugin/wirelaw.vim"})
    EXPECT_TRUE(std::filesystem::exists(path(file))) << file;
  const std::string syntax = read_file(path("vim/syntax/wirelaw.vim"));
  EXPECT_EQ(run_wirelaw({"script", "editor", "vscode", "-o", path("code")}).status, 0);
  const std::string grammar = read_file(path("code/syntaxes/wirelaw.json"));
  for (const char* const word :
       {"SESSION_OPEN", "LONGCTS_MSGRTM", "retry_time", "midstream", "unseen", "again", "size"}) {
    EXPECT_THAT(syntax, HasSubstr(word));
    EXPECT_THAT(grammar, HasSubstr(word));
  }
  const auto package = nlohmann::json::parse(read_file(path("code/package.json")));
  for (const auto& one : package["contributes"]["grammars"])
    EXPECT_TRUE(std::filesystem::exists(path("code/" + one["path"].get<std::string>())));
  for (const auto& one : package["contributes"]["languages"])
    EXPECT_TRUE(std::filesystem::exists(path("code/" + one["configuration"].get<std::string>())));
}

TEST_F(ScriptCommand, NamesTheEditorsThatItKnows) {
  const auto other = run_wirelaw({"script", "editor", "emacs", "-o", path("emacs")});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("vim, vscode"));
  EXPECT_EQ(run_wirelaw({"script", "editor", "vim"}).status, 2);
}

}  // namespace
}  // namespace wirelaw
