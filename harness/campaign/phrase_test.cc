// SPDX-License-Identifier: Apache-2.0
// Phrases: what they send, what they show of a peer, and that they show nothing of an honest one.
#include "harness/campaign/phrase.h"

#include <gmock/gmock.h>

#include <initializer_list>
#include <set>

#include "harness/campaign/campaign_test.h"

namespace wirelaw::campaign {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

struct Line {
  std::string_view text;
  std::uint32_t times = 1;
};

// The exchanges from which the benchmark begins.
std::string_view exchange_of(std::string_view protocol) {
  return protocol == "ramcloud" ? "sessionToken/the-given-token-is-accepted"
         : protocol == "rdmap"  ? "ddp/responder-places-sends"
         : protocol == "smbd"   ? "data/listener-passes-messages-on"
         : protocol == "efa"    ? "eager/message-of-every-size"
                                : "session/is-answered";
}

// The trial of a phrase after the last message of the exchange.
Trial say(std::string_view protocol, std::vector<std::string> deviations, std::initializer_list<Line> lines) {
  MemoryArena memory(protocol, std::move(deviations));
  Tester tester(memory.arena());
  Input input{.test_case = std::string(exchange_of(protocol))};
  const Trial plain = tester.run(input, kPace);
  for (const Line& line : lines)
    input.edits.push_back({.op = Op::compose,
                           .message = static_cast<std::uint32_t>(plain.stimuli.size() - 1),
                           .count = line.times - 1,
                           .octets = {line.text.begin(), line.text.end()}});
  return tester.run(input, kPace);
}

std::vector<std::string> signatures(const Trial& trial) {
  std::vector<std::string> all;
  for (const Breach& one : trial.breaches) all.push_back(one.signature);
  return all;
}

std::string told(const Trial& trial) {
  std::string text;
  for (const Step& step : trial.steps) text += (step.from_iut ? "\n< " : "\n> ") + step.summary;
  return text;
}

std::size_t answers(const Trial& trial) {
  return static_cast<std::size_t>(std::ranges::count(trial.steps, true, &Step::from_iut));
}

TEST(Phrase, ContinuesTheConversationOfAnHonestPeer) {
  const auto expect_answered = [](std::string_view protocol, std::initializer_list<Line> lines, std::size_t more) {
    const Trial plain = say(protocol, {}, {}), longer = say(protocol, {}, lines);
    EXPECT_THAT(signatures(longer), IsEmpty()) << protocol;
    EXPECT_GE(answers(longer), answers(plain) + more) << protocol << told(longer);
  };
  expect_answered("ramcloud", {{"DATA", 5}, {"DATA total_frags=2"}, {"DATA total_frags=2 frag_number=1"}}, 6);
  expect_answered("rdmap", {{"Send", 3}, {"ReadRequest", 3}}, 3);
  expect_answered("smbd", {{"DataTransfer size=0 flags=1", 40}}, 40);
  expect_answered("efa", {{"DC_EAGER_MSGRTM", 4}}, 4);
  expect_answered("umsp", {{"NOP ask=1", 4}, {"MEM_ALLOC"}}, 5);
}

TEST(Phrase, ShowsThatAPeerAcceptsWhatItMustRefuse) {
  const auto expect = [](std::string_view protocol, const char* deviation, const char* rule,
                         std::initializer_list<Line> lines) {
    EXPECT_THAT(signatures(say(protocol, {}, lines)), IsEmpty()) << deviation;
    const Trial trial = say(protocol, {deviation}, lines);
    EXPECT_THAT(signatures(trial), Contains(std::string("rule ") + rule)) << deviation << told(trial);
  };
  // The peer uses up the credits that it had before, and spends one that a later message granted.
  const Line more{"DataTransfer size=0 flags=1 credits_granted=0", 256}, last{"DataTransfer size=0 flags=1"};
  expect("smbd", "accepts-short-message", "SMBD-3.1.5.8-1", {{"DataTransfer size=0 cut 37"}, more, last});
  expect("smbd", "accepts-too-much-announced", "SMBD-3.1.5.8-6",
         {{"DataTransfer remaining_length=0x7fffffff"}, more, last});
  expect("smbd", "accepts-no-credits", "SMBD-3.1.5.8-2", {{"DataTransfer credits_requested=0"}, more, last});
  expect("ramcloud", "total-mismatch-accepted", "RAMCLOUD-totalFrags-4",
         {{"DATA total_frags=3 size=5"}, {"DATA total_frags=2 frag_number=1 size=7"}});
  expect("ramcloud", "duplicate-fragment-appended", "RAMCLOUD-fragNumber-3",
         {{"DATA total_frags=2 size=5 twice"}, {"DATA total_frags=2 frag_number=1 size=5"}});
  expect("ramcloud", "wrong-token-accepted", "RAMCLOUD-sessionToken-7", {{"DATA session_token^=1"}});
  expect("ramcloud", "total-zero-executed", "RAMCLOUD-totalFrags-5", {{"DATA total_frags=0 size=5"}});
}

TEST(Phrase, SendsNothingForALineThatCannotBeRead) {
  for (const char* wrong : {"", "NO_SUCH_MESSAGE", "DATA no_such_field=1", "DATA =", "DATA\nb DATA", "raw hex:00",
                            "close", "DATA size=99999999999"}) {
    const Trial trial = say("ramcloud", {}, {{wrong}});
    EXPECT_THAT(signatures(trial), IsEmpty()) << wrong;
    EXPECT_EQ(trial.messages_sent, say("ramcloud", {}, {}).messages_sent) << wrong;
  }
}

TEST(Phrase, IsTextInTheWordsOfAnEdit) {
  EXPECT_EQ(to_text(Edit{.op = Op::compose, .message = 1, .count = 2, .octets = {'A', 'C', 'K'}}),
            "message 2: after it a conforming sender sends 'ACK', 3 times");
  EXPECT_EQ(to_text(Edit{.op = Op::compose, .octets = {0xff, '\n', 'A'}}),
            "message 1: after it a conforming sender sends '??A'");
}

TEST(PhrasePlanner, NamesEveryMessageAndCanBeReadAgain) {
  for (const char* protocol : {"ramcloud", "rdmap", "smbd", "efa", "umsp"}) {
    MemoryArena memory(protocol, {});
    Tester tester(memory.arena());
    std::set<std::string> named;
    std::vector<Edit> edits;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      Random random(3, i);
      if (i % 5 == 0) edits.clear();
      PhrasePlanner({}, tester, random).plan(2, edits);
      ASSERT_THAT(edits, Not(IsEmpty())) << protocol;
      for (const Edit& one : edits) {
        const std::string text(one.octets.begin(), one.octets.end());
        EXPECT_EQ(one.op, Op::compose);
        EXPECT_EQ(one.message, 2u);
        EXPECT_LT(one.count, 256u);
        EXPECT_EQ(text.find('\n'), std::string::npos);
        named.insert(text.substr(0, text.find(' ')));
      }
    }
    EXPECT_EQ(named.size(), tester.words().size()) << protocol;
  }
}

}  // namespace
}  // namespace wirelaw::campaign
