// SPDX-License-Identifier: Apache-2.0
// Reassembly of fragmented instructions by their receiver (RFC 3018 7.3, 7.4).
#include <gmock/gmock.h>

#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/test_chains.h"

namespace wirelaw::umsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TransactionTerms kAtOnce{};
constexpr TransactionTerms kLater{.after_sending = false};

TEST(ChainReceiver, PutsFragmentsTogether) {
  for (const std::size_t size : {4u, 8u, 40u, 400u}) {
    TestReceiver test;
    const Draft whole = asking(numbered(1, 402), 5);
    for (const Draft& one : fragments(9, whole, size)) test.gets(one);
    ASSERT_THAT(test.vm.numbers(), ElementsAre(1));
    OctetBuffer expected = whole.operands;
    expected.resize(404);
    EXPECT_EQ(test.vm.executed[0].operands, expected);
    EXPECT_FALSE(test.vm.executed[0].at.chained);
    EXPECT_THAT(test.sent, ElementsAre("RSP_P 5"));
    EXPECT_EQ(test.receiver->octets_held(), 0u);
  }
}

TEST(ChainReceiver, FreesTheWindowWhenTheVmHasExecuted) {
  TestReceiver test;
  test.vm.begins = {1};
  for (const Draft& one : fragments(9, asking(numbered(1, 400), 5), 100)) test.gets(one);
  EXPECT_GT(test.receiver->window_used(), 400u);
  EXPECT_EQ(test.receiver->octets_held(), 0u);
  test.vm_responds(asking(draft_of(Opcode::rsp), 5));
  EXPECT_THAT(test.sent, ElementsAre("RSP_P 5"));
  EXPECT_EQ(test.receiver->window_used(), 0u);
}

TEST(ChainReceiver, TakesFragmentsThatFillTheWindowAndNotOneOctetMore) {
  const auto all = fragments(9, numbered(1, 400), 100);
  std::uint64_t octets = 0;
  for (const Draft& one : all) octets += wire_octets(one);
  for (const bool fits : {true, false}) {
    TestReceiver test({.window = fits ? octets : octets - 1});
    for (const Draft& one : all) test.gets(one);
    EXPECT_EQ(test.vm.executed.size(), fits ? 1u : 0u);
    EXPECT_EQ(test.sent, fits ? std::vector<std::string>{} : std::vector<std::string>{"break off"});
  }
}

TEST(ChainReceiver, UsesABufferThatWasGranted) {
  const auto all = fragments(9, asking(numbered(1, 400), 5), 100);
  std::uint32_t octets = 0;
  for (const Draft& one : all) octets += static_cast<std::uint32_t>(wire_octets(one));
  for (const std::uint32_t less : {0u, 1u}) {
    TestReceiver test({.window = 0});
    test.asks_buffer(octets - less);
    for (const Draft& one : all) test.gets(one);
    EXPECT_THAT(test.vm.asked_buffers, ElementsAre(octets - less));
    EXPECT_THAT(test.sent, ElementsAre("RSP_P 900", less == 0 ? "RSP 5" : "RSP 5 !"));
    EXPECT_EQ(test.vm.executed.size(), 1 - less);
  }
}

TEST(ChainReceiver, RefusesABufferThatTheVmDoesNotGrant) {
  TestReceiver test;
  test.vm.grants = false;
  test.asks_buffer(100);
  EXPECT_THAT(test.sent, ElementsAre("RSP_P 900 !"));
}

TEST(ChainReceiver, LowersTheLifetimeByTheTimeOfAssembly) {
  TestReceiver test;
  auto all = fragments(9, asking(numbered(1, 400), 5), 200);
  all[0] = with(all[0], HeadCode::life_time, {0, 10});
  test.gets(all[0]);
  test.at(microseconds(1024 * 3));
  test.gets(all[1]);
  test.gets(all[2]);
  ASSERT_EQ(test.vm.executed.size(), 1u);
  EXPECT_EQ(test.vm.executed[0].at.life_time, 7u);
}

TEST(ChainReceiver, RejectsFragmentsWhoseLifetimeIsOver) {
  for (const bool asked : {true, false}) {
    TestReceiver test;
    auto all = fragments(9, asked ? asking(numbered(1, 400), 5) : numbered(1, 400), 200);
    all[0] = with(all[0], HeadCode::life_time, {0, 10});
    test.gets(all[0]);
    EXPECT_EQ(test.receiver->deadline(), microseconds(10240));
    test.at(microseconds(10240));
    EXPECT_EQ(test.sent, asked ? std::vector<std::string>{"RSP 5 !"} : std::vector<std::string>{});
    EXPECT_EQ(test.receiver->octets_held(), 0u);
    test.gets(all[1]);
    test.gets(all[2]);
    EXPECT_THAT(test.vm.numbers(), IsEmpty());
  }
}

TEST(ChainReceiver, PutsSubordinatedFragmentsIntoTheirChains) {
  for (const bool sequenced : {true, false}) {
    for (std::uint16_t which = 0; which < 3; ++which) {
      TestReceiver test;
      std::vector<Draft> all{numbered(1), numbered(2), numbered(3)};
      all[which] = numbered(which + 1u, 300);
      all.front().req_id = 5;
      all = sequenced ? sequence(9, all) : transaction(9, kAtOnce, all);
      for (std::uint16_t i = 0; i < 3; ++i) {
        if (i != which) {
          test.gets(all[i]);
          continue;
        }
        OctetBuffer parent;
        Writer(parent).big_endian(std::uint16_t{9}).big_endian(i);
        for (const Draft& one : fragments(4, all[i], 60, parent)) test.gets(one);
      }
      EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2, 3));
      EXPECT_EQ(test.sent.size(), 1u);
      EXPECT_EQ(test.receiver->chains(), 0u);
      EXPECT_EQ(test.receiver->window_used(), 0u);
      EXPECT_EQ(test.receiver->octets_held(), 0u);
    }
  }
}

TEST(ChainReceiver, PutsSubordinatedFragmentsIntoTheBufferOfTheParentalChain) {
  auto all = transaction(9, kLater, {numbered(1), numbered(2, 300)});
  OctetBuffer parent;
  Writer(parent).big_endian(std::uint16_t{9}).big_endian(std::uint16_t{1});
  const auto pieces = fragments(4, all[1], 60, parent);
  std::uint32_t octets = static_cast<std::uint32_t>(wire_octets(all[0]));
  for (const Draft& one : pieces) octets += static_cast<std::uint32_t>(wire_octets(one));
  TestReceiver test({.window = 0});
  test.asks_buffer(octets);
  test.gets(all[0]);
  for (const Draft& one : pieces) test.gets(one);
  test.gets(asking(control(Opcode::exec_tr, 9), 6));
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2));
  EXPECT_THAT(test.sent, ElementsAre("RSP_P 900", "RSP 6"));
}

TEST(ChainReceiver, RefusesFragmentsThatAreNoInstruction) {
  TestReceiver test;
  auto cut = fragments(9, asking(numbered(1, 400), 5), 100);
  cut.erase(cut.begin() + 2);
  for (std::uint16_t i = 0; i < cut.size(); ++i) test.gets(linked(cut[i], 9, i));
  auto nested = fragments(8, asking(fragments(7, numbered(2), 4)[0], 6), 100);
  for (const Draft& one : nested) test.gets(one);
  auto other = fragments(6, asking(numbered(3, 400), 7), 100);
  other[1].opcode = static_cast<std::uint8_t>(Opcode::write_4);
  for (const Draft& one : other) test.gets(one);
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  EXPECT_EQ(test.sent.size(), 3u);
  for (const std::string& one : test.sent) EXPECT_TRUE(one.ends_with("!"));
  EXPECT_EQ(test.receiver->window_used(), 0u);
}

TEST(ChainReceiver, HandsAFragmentedResponseToTheVm) {
  TestReceiver test;
  for (const Draft& one : fragments(9, asking(draft_of(Opcode::data, OctetBuffer(400, 1)), 5), 100)) test.gets(one);
  ASSERT_EQ(test.vm.responses.size(), 1u);
  EXPECT_EQ(test.vm.responses[0].req_id, 5u);
  EXPECT_THAT(test.sent, IsEmpty());
  EXPECT_EQ(test.receiver->window_used(), 0u);
}

}  // namespace
}  // namespace wirelaw::umsp
