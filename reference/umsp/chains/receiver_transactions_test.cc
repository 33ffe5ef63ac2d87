// SPDX-License-Identifier: Apache-2.0
// Transactions at their receiver (RFC 3018 7.2).
#include <gmock/gmock.h>

#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/test_chains.h"

namespace wirelaw::umsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TransactionTerms kAtOnce{};
constexpr TransactionTerms kLater{.after_sending = false};

TEST(ChainReceiver, ExecutesATransactionWhenAllOfItIsThere) {
  TestReceiver test;
  const auto all = transaction(9, kAtOnce, numbers(3, 5));
  test.gets(all[0]);
  test.gets(all[1]);
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  EXPECT_EQ(test.receiver->window_used(), wire_octets(all[0]) + wire_octets(all[1]));
  test.gets(all[2]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2, 3));
  EXPECT_THAT(test.sent, ElementsAre("RSP_P 5")) << "it was in the window";
  EXPECT_EQ(test.receiver->window_used(), 0u);
  EXPECT_EQ(test.receiver->octets_held(), 0u);
}

TEST(ChainReceiver, TakesNoBufferForATransactionInOneSegment) {
  TestReceiver test({.window = 0});
  test.gets_in_one_segment(transaction(9, kAtOnce, numbers(3, 5)));
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2, 3));
  EXPECT_THAT(test.sent, ElementsAre("RSP 5"));
}

TEST(ChainReceiver, ExecutesAllOrNothing) {
  TestReceiver test;
  test.vm.refuses = {3};
  for (const Draft& one : transaction(9, kAtOnce, numbers(3, 5))) test.gets(one);
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  EXPECT_THAT(test.sent, ElementsAre("RSP_P 5 !"));
  EXPECT_EQ(test.receiver->window_used(), 0u);
}

TEST(ChainReceiver, PutsATransactionInOrder) {
  TestReceiver test;
  test.arrival.alone = false;
  const auto all = transaction(9, kAtOnce, numbers(4, 5));
  for (const std::size_t i : {2u, 3u, 0u}) test.gets(all[i]);
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  test.gets(all[1]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(test.receiver->window_used(), 0u);
}

TEST(ChainReceiver, ExecutesByExecTr) {
  TestReceiver test;
  test.asks_buffer(1000);
  for (const Draft& one : transaction(9, kLater, numbers(2, 5))) test.gets(one);
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  test.gets(asking(with(control(Opcode::exec_tr, 9), HeadCode::msg, {'h', 'i'}), 6));
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2));
  EXPECT_THAT(test.sent, ElementsAre("RSP_P 900", "RSP 5", "RSP 6"));
  test.gets(asking(control(Opcode::exec_tr, 9), 8));
  EXPECT_EQ(test.sent.back(), "RSP 8 !");
  EXPECT_EQ(test.vm.executed.size(), 2u);
}

TEST(ChainReceiver, DoesNotExecuteWhatWasCancelled) {
  for (const Opcode opcode : {Opcode::cancel_tr, Opcode::snd_cancel}) {
    TestReceiver test;
    test.asks_buffer(1000);
    for (const Draft& one : transaction(9, kLater, numbers(2, 5))) test.gets(one);
    test.gets(with(control(opcode, 9), HeadCode::msg, {'h', 'i'}));
    EXPECT_EQ(test.receiver->octets_held(), 0u);
    test.gets(asking(control(Opcode::exec_tr, 9), 6));
    EXPECT_THAT(test.vm.numbers(), IsEmpty());
    EXPECT_EQ(test.sent.back(), "RSP 6 !");
  }
}

TEST(ChainReceiver, DropsWhatFollowsOfACancelledChain) {
  TestReceiver test;
  const auto all = transaction(9, kAtOnce, numbers(3, 5));
  test.gets(all[0]);
  test.gets(control(Opcode::snd_cancel, 9));
  EXPECT_EQ(test.receiver->window_used(), 0u);
  test.gets(all[1]);
  test.gets(all[2]);
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  EXPECT_THAT(test.sent, IsEmpty());
}

TEST(ChainReceiver, CancelsWhenTheTimeIsOver) {
  TestReceiver test;
  test.asks_buffer(1000);
  const auto all = transaction(9, {.after_sending = false, .time = 3}, numbers(2, 5));
  test.gets(all[0]);
  test.at(seconds(100));
  test.gets(all[1]);
  EXPECT_EQ(test.receiver->deadline(), seconds(106));
  test.at(seconds(106) - milliseconds(1));
  EXPECT_EQ(test.sent.size(), 1u);
  test.at(seconds(106));
  EXPECT_EQ(test.sent.back(), "RSP 5 !");
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  EXPECT_EQ(test.receiver->deadline(), std::nullopt);
}

TEST(ChainReceiver, ExecutesWhenTheTimeIsOverWithTre) {
  TestReceiver test;
  test.asks_buffer(1000);
  for (const Draft& one : transaction(9, {true, false, 3}, numbers(2, 5))) test.gets(one);
  test.at(seconds(6));
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2));
  EXPECT_EQ(test.sent.back(), "RSP 5");
}

TEST(ChainReceiver, KeepsATransactionWithoutTime) {
  TestReceiver test;
  test.asks_buffer(1000);
  for (const Draft& one : transaction(9, kLater, numbers(2))) test.gets(one);
  test.at(seconds(1'000'000));
  test.gets(asking(control(Opcode::exec_tr, 9), 6));
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2));
}

TEST(ChainReceiver, AtAnEmergencyEndExecutesWhatHasTre) {
  for (const bool abnormally : {true, false}) {
    TestReceiver test;
    test.asks_buffer(1000);
    test.asks_buffer(1000);
    for (const Draft& one : transaction(9, {true, false, 0}, {numbered(1)})) test.gets(one);
    for (const Draft& one : transaction(8, {false, false, 0}, {asking(numbered(2), 5)})) test.gets(one);
    test.gets(transaction(7, {true, true, 0}, numbers(2))[0]);
    test.sent.clear();
    test.ends(abnormally);
    EXPECT_EQ(test.vm.numbers(), abnormally ? std::vector<std::uint32_t>{1} : std::vector<std::uint32_t>{});
    EXPECT_THAT(test.sent, IsEmpty());
    EXPECT_EQ(test.receiver->octets_held(), 0u);
  }
}

TEST(ChainReceiver, AppliesTheBaseToAllOfATransaction) {
  TestReceiver test;
  auto all = numbers(3);
  all[1] = with(all[1], HeadCode::set_mbase, {0, 0, 0x10, 0});
  for (const Draft& one : transaction(9, kAtOnce, all)) test.gets(one);
  for (const auto& one : test.vm.executed) EXPECT_EQ(one.at.base, 0x1000u);
  EXPECT_EQ(test.vm.executed.size(), 3u);
}

TEST(ChainReceiver, RefusesATransactionWhoseBaseIsSetTwice) {
  TestReceiver test;
  auto all = numbers(3, 5);
  all[0] = with(all[0], HeadCode::set_mbase, {0, 0, 0x10, 0});
  all[2] = with(all[2], HeadCode::set_mbase, {0, 0, 0x10, 0});
  for (const Draft& one : transaction(9, kAtOnce, all)) test.gets(one);
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  EXPECT_THAT(test.sent, ElementsAre("RSP_P 5 !"));
}

TEST(ChainReceiver, TakesExecTrThatOvertakesItsTransaction) {
  TestReceiver test;
  test.arrival.alone = false;
  test.asks_buffer(1000);
  const auto all = transaction(9, kLater, numbers(2));
  test.gets(all[0]);
  test.arrival.connection = 1;
  test.gets(asking(control(Opcode::exec_tr, 9), 6));
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  test.arrival.connection = 0;
  test.gets(all[1]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2));
  EXPECT_EQ(test.sent.back(), "RSP 6");
}

}  // namespace
}  // namespace wirelaw::umsp
