// SPDX-License-Identifier: Apache-2.0
// What the cases of a file share: the lines before the first heading, and those of an `opening`. Pauses before a line,
// the end of a connection, and datagrams of a protocol that is usually a stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/script/conversation.h"
#include "conformance/script/parser.h"
#include "harness/script/script_cases.h"
#include "harness/script/script_file.h"
#include "harness/script/script_marks.h"

namespace wirelaw {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string problem_of(std::string_view text) {
  const auto script = script::parse(text);
  return script ? "none" : one_line(script.error(), "x.wirelaw");
}

// The name of each part, with the octets of its conversation: "opens: 3 messages".
std::vector<std::string> messages_of(const std::string& text) {
  const auto file = script_of(text, "x.wirelaw");
  if (!file) return {file.error()};
  std::vector<std::string> all;
  for (const ScriptPart& part : file->parts) {
    const auto spoken = script::speak(part.part, *part.language);
    std::string line = part.part.name + ":";
    if (!spoken) line += " " + spoken.error().message;
    if (spoken)
      for (const script::Spoken& one : spoken->spoken) line += " " + part.protocol->decode(one.octets).summary;
    all.push_back(line.substr(0, 200));
  }
  return all;
}

// One script for each part, which says the same without sharing anything.
std::vector<std::string> messages_of_all(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts)
    for (std::string& line : messages_of(text)) all.push_back(std::move(line));
  return all;
}

TEST(Opening, StepsBeforeTheFirstHeadingBeginEachCase) {
  EXPECT_EQ(messages_of("protocol ramcloud\n"
                        "bare\n"
                        "a SESSION_OPEN\n"
                        "b SESSION_OPEN as $open\n"
                        "trace one\n"
                        "a DATA rpc_id=7\n"
                        "trace two\n"
                        "a DATA session_token=$open.session_token\n"
                        "b DATA\n"),
            messages_of_all({"protocol ramcloud\ntrace one\nbare\na SESSION_OPEN\nb SESSION_OPEN\na DATA rpc_id=7\n",
                             "protocol ramcloud\ntrace two\nbare\na SESSION_OPEN\nb SESSION_OPEN\na DATA\nb DATA\n"}));
}

TEST(Opening, AnOpeningReplacesTheOneBefore) {
  EXPECT_EQ(messages_of("protocol ramcloud\n"
                        "a DATA\n"
                        "trace first\n"
                        "b DATA\n"
                        "opening\n"
                        "bare\n"
                        "a SESSION_OPEN\n"
                        "trace second\n"
                        "b SESSION_OPEN\n"
                        "opening\n"
                        "trace third\n"
                        "a DATA total_frags=2\n"),
            messages_of_all({"protocol ramcloud\ntrace first\na DATA\nb DATA\n",
                             "protocol ramcloud\ntrace second\nbare\na SESSION_OPEN\nb SESSION_OPEN\n",
                             "protocol ramcloud\ntrace third\na DATA total_frags=2\n"}));
}

// A relay's lines are no messages, so they keep the meaning that they had.
TEST(Opening, WithoutAHeadingAFileIsOneConversation) {
  const auto script = script::parse("protocol ramcloud\na DATA\nb DATA ! RAMCLOUD-rpcId-4\n");
  ASSERT_TRUE(script);
  ASSERT_EQ(script->parts.size(), 1u);
  EXPECT_EQ(script->parts[0].steps.size(), 2u);
  EXPECT_EQ(script->parts[0].at, (script::Position{2, 1}));
  const auto faults = script::parse("protocol ramcloud\non b DATA: lose\n");
  ASSERT_TRUE(faults);
  EXPECT_EQ(faults->parts.at(0).triggers.size(), 1u);
}

TEST(Opening, MistakesAreSaidAtTheirOwnLine) {
  struct Row {
    std::string_view text, problem;
  };
  const Row rows[] = {
      {"protocol ramcloud\na DATA ! RAMCLOUD-rpcId-4\ntrace x\nb DATA\n",
       "x.wirelaw:2:10: every trace and case begins with this line, so it has no mark; mark the line of a case"},
      {"protocol ramcloud\ntrace w\na DATA\nopening\na DATA ? RAMCLOUD-rpcId-4\ntrace x\nb DATA\n",
       "x.wirelaw:5:10: every trace and case begins with this line, so it has no mark; mark the line of a case"},
      {"protocol ramcloud\ntrace x\nb DATA\nopening\na DATA\n", "x.wirelaw:4:1: no trace or case follows these steps"},
      {"protocol ramcloud\nopening\na DATA\nopening\ntrace x\nb DATA\n",
       "x.wirelaw:2:1: no trace or case follows these steps"},
      {"protocol ramcloud\na DATA\nopening\ntrace x\nb DATA\n", "x.wirelaw:2:1: no trace or case follows these steps"},
      {"protocol ramcloud\nopening session\ntrace x\nb DATA\n",
       "x.wirelaw:2:9: expected the end of the line, not 'session'"},
      {"protocol ramcloud\nopening\non b DATA: lose\ntrace x\nb DATA\n", "x.wirelaw:3:1: an opening has no triggers"},
      {"protocol rdmap\ncloses c\na Send\n", "x.wirelaw:2:8: 'c' is no side; write a or b"},
      {"protocol rdmap\ncloses\na Send\n", "x.wirelaw:2:7: closes needs a value"},
      {"protocol ramcloud\nb DATA after\n", "x.wirelaw:2:13: expected a value, not the end of the line"},
  };
  for (const Row& row : rows) EXPECT_EQ(problem_of(row.text), row.problem) << row.text;
}

// Each case has its own copy of the opening, so a file cannot multiply a long one.
TEST(Opening, IsBounded) {
  std::string text = "protocol ramcloud\na DATA payload=hex:" + std::string(script::kMostShared / 2, '0') + "\n";
  for (const char* const name : {"w", "x", "y"}) text += "trace " + std::string(name) + "\nb DATA\n";
  EXPECT_EQ(problem_of(text), "x.wirelaw:5:8: the cases of this file share too many lines");
}

TEST(Opening, ACaseIsPlayableWithIt) {
  const auto file = script_of(
      "protocol ramcloud\nrule RAMCLOUD-rpcId-4\na DATA as $m\ncase answers\nb DATA rpc_id=$m.rpc_id\n"
      "case keeps-silent\nb silence\n",
      "x.wirelaw");
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(trouble_with_case(*file, file->parts[0]), std::nullopt);
  EXPECT_EQ(trouble_with_case(*file, file->parts[1]),
            "x.wirelaw:7:1: this line accepts silence, which a dead peer keeps too; end with a line 'control'");
}

std::vector<std::int64_t> pauses_of(const std::string& text) {
  const auto file = script_of(text, "x.wirelaw");
  EXPECT_TRUE(file) << file.error();
  const auto spoken = script::speak(file->parts.at(0).part, *file->parts.at(0).language);
  EXPECT_TRUE(spoken);
  std::vector<std::int64_t> pauses;
  for (const script::Spoken& one : spoken->spoken) pauses.push_back(one.pause_ns);
  return pauses;
}

TEST(After, IsAPauseBeforeTheLine) {
  EXPECT_THAT(pauses_of("protocol ramcloud\nbare\na SESSION_OPEN\nb SESSION_OPEN after 3s\na DATA\n"),
              ElementsAre(0, 3'000'000'000, 0));
  EXPECT_THAT(pauses_of("protocol ramcloud\nbare\nfor $i in 1..3: a SESSION_OPEN after 2ms\n"),
              ElementsAre(2'000'000, 2'000'000, 2'000'000));
  EXPECT_THAT(pauses_of("protocol ramcloud\nbare\npause 1ms\na SESSION_OPEN within 1s after 2ms ! RAMCLOUD-rpcId-4\n"),
              ElementsAre(3'000'000));
}

TEST(Closes, EndsTheConnectionAfterTheLastStep) {
  for (const char side : {'a', 'b'}) {
    const std::string text = std::string("protocol rdmap\ncloses ") + side + "\ntrace x\na Send\n";
    const auto file = script_of(text, "x.wirelaw");
    ASSERT_TRUE(file) << file.error();
    const auto spoken = script::speak(file->parts[0].part, *file->parts[0].language);
    ASSERT_TRUE(spoken);
    ASSERT_GE(spoken->spoken.size(), 2u);
    const script::Spoken& first = spoken->spoken[spoken->spoken.size() - 2];
    const script::Spoken& last = spoken->spoken.back();
    EXPECT_EQ(first.kind, script::Spoken::Kind::close);
    EXPECT_EQ(last.kind, script::Spoken::Kind::close);
    EXPECT_EQ(first.sender, side == 'a' ? Side::a : Side::b);
    EXPECT_EQ(last.sender, side == 'a' ? Side::b : Side::a);
    EXPECT_THAT(differences_from_marks(*file, file->parts[0]).value(), IsEmpty());
  }
  EXPECT_THAT(messages_of("protocol ramcloud\ncloses a\ntrace x\na DATA\n"),
              ElementsAre("x: a conversation of datagrams is neither opened nor closed"));
}

TEST(OverUdp, AnUmspLineIsADatagramAndNothingIsSaidBefore) {
  const std::string text =
      "protocol umsp\nover udp\ntrace x\na WRITE opcode=134 ask=0\na WRITE opcode=134 ! UMSP-6-13\n";
  const auto file = script_of(text, "x.wirelaw");
  ASSERT_TRUE(file) << file.error();
  const auto spoken = script::speak(file->parts[0].part, *file->parts[0].language);
  ASSERT_TRUE(spoken) << spoken.error().message;
  EXPECT_FALSE(spoken->is_stream);
  EXPECT_EQ(spoken->spoken.size(), 2u);
  EXPECT_THAT(differences_from_marks(*file, file->parts[0]).value(), IsEmpty());
}

TEST(OverUdp, IsRefusedIfItCannotBeSaidOrPlayed) {
  const auto problem = [](const std::string& text) {
    const auto file = script_of(text, "x.wirelaw");
    if (!file) return file.error();
    return trouble_with_case(*file, file->parts.at(0)).value_or("none");
  };
  EXPECT_EQ(problem("protocol umsp\nover sctp\na WRITE\n"),
            "x.wirelaw:2:6: scripts cannot say UMSP over 'sctp'; write udp");
  EXPECT_EQ(problem("protocol smbd\nover udp\na DataTransfer\n"),
            "x.wirelaw:2:6: scripts cannot say SMB Direct over 'udp'; write iwarp");
  EXPECT_EQ(problem("protocol efa\nover udp\na EAGER_MSGRTM\n"),
            "x.wirelaw:2:6: scripts cannot say EFA RDM v4 over 'udp'; leave the line out");
  EXPECT_EQ(problem("protocol umsp\nover udp\ncase x\na WRITE ask=0\n"),
            "x.wirelaw:3:5: a script over udp is judged, and not played; make it a trace that names no IUT");
}

}  // namespace
}  // namespace wirelaw
