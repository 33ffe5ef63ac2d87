// SPDX-License-Identifier: Apache-2.0
// Instructions out of order, and instructions that need more than the limits.
#include <gmock/gmock.h>

#include <random>

#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/test_chains.h"

namespace wirelaw::umsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TransactionTerms kAtOnce{};

TEST(ChainReceiver, RefusesAChainThatIsNotDescribed) {
  TestReceiver test;
  test.gets(asking(linked(numbered(1), 9, 0), 5));
  test.gets(linked(numbered(2), 9, 1));
  Draft twice = with(with(linked(numbered(3), 8, 0), HeadCode::begin_sq), HeadCode::begin_sq);
  test.gets(asking(twice, 6));
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  EXPECT_THAT(test.sent, ElementsAre("RSP 5 !", "RSP 6 !"));
}

TEST(ChainReceiver, ABeginningUnderANumberInUseEndsTheChainBefore) {
  TestReceiver test;
  test.gets(transaction(9, kAtOnce, numbers(3, 5))[0]);
  for (const Draft& one : transaction(9, kAtOnce, numbers(2, 6))) test.gets(one);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2));
  EXPECT_EQ(test.sent.size(), 2u);
  EXPECT_EQ(test.receiver->window_used(), 0u);
}

TEST(ChainReceiver, KeepsNoMoreChainsThanItIsAllowed) {
  TestReceiver test({.window = 1u << 20, .chains = 3});
  for (std::uint16_t i = 1; i <= 5; ++i) test.gets(transaction(i, kAtOnce, numbers(2, i))[0]);
  EXPECT_EQ(test.receiver->chains(), 3u);
  EXPECT_THAT(test.sent, ElementsAre("RSP 4 !", "RSP 5 !"));
  for (std::uint16_t i = 1; i <= 5; ++i) test.gets(transaction(i, kAtOnce, numbers(2, i))[1]);
  EXPECT_EQ(test.vm.executed.size(), 6u);
}

TEST(ChainReceiver, KeepsNoMoreInDisorderThanItIsAllowed) {
  TestReceiver test({.window = 1u << 20, .early = 10});
  test.arrival.alone = false;
  for (std::uint16_t i = 1; i <= 12; ++i) test.gets(linked(numbered(i), 9, i));
  EXPECT_THAT(test.sent, ElementsAre("break off"));
}

TEST(ChainReceiver, KeepsNoMoreGrantsThanItIsAllowed) {
  TestReceiver test({.grants = 2, .granted = 1000});
  test.asks_buffer(600, 1);
  test.asks_buffer(600, 2);
  test.asks_buffer(200, 3);
  test.asks_buffer(100, 4);
  test.asks_buffer(0xffff'ffff, 5);
  EXPECT_THAT(test.sent, ElementsAre("RSP_P 1", "RSP_P 2 !", "RSP_P 3", "RSP_P 4 !", "RSP_P 5 !"));
}

TEST(ChainReceiver, AnAnnouncedLengthTakesNoMemory) {
  TestReceiver test;
  // _DATA of 4 GiB, of which a few octets arrive.
  Draft first = draft_of(Opcode::nop, {133, 0x08, 0xff, 0xff, 0xff, 0xff, 0x20, 0x0b});
  test.gets(with(linked(first, 9, 0), HeadCode::begin_frg));
  EXPECT_EQ(test.receiver->octets_held(), 8u);
  test.gets(asking(with(linked(draft_of(Opcode::nop), 9, 1), HeadCode::end_chain), 5));
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
}

TEST(ChainReceiver, StaysWithinItsBoundsWhateverComes) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const ReceiverOptions options{
        .window = 4096, .chains = 16, .early = 32, .grants = 3, .granted = 8192, .segment = 2048};
    TestReceiver test(options);
    const auto below = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); };
    for (unsigned i = 0; i < 600; ++i) {
      test.arrival.alone = below(2) == 0;
      test.arrival.connection = below(2);
      test.same_segment = below(3) == 0;
      const auto number = static_cast<std::uint16_t>(1 + below(6));
      Draft draft = linked(numbered(below(5), 4 + 4 * below(30)), number, static_cast<std::uint16_t>(below(4)));
      if (below(2) == 0) draft.opcode = static_cast<std::uint8_t>(Opcode::nop);
      if (below(3) == 0) draft.req_id = i;
      test.vm.refuses = {below(8)};
      test.vm.begins = {below(8)};
      const bool first = draft.chain->instr_number == 0 || below(20) == 0;
      switch (first ? below(5) : 5) {
        case 0:
          draft = with(draft, HeadCode::begin_sq);
          break;
        case 1:
          draft = with(draft, HeadCode::begin_tr, big_endian(random() & 0xffff, 2));
          break;
        case 2:
          draft = with(draft, HeadCode::begin_frg);
          break;
        case 3:
          draft = with(draft, HeadCode::begin_frg, big_endian((1 + below(6)) << 16 | below(4), 4));
          break;
        default:
          break;
      }
      if (below(4) == 0) draft = with(draft, HeadCode::end_chain);
      if (below(8) == 0) draft = with(draft, HeadCode::set_mbase, {0, 0, 1, 0});
      if (below(8) == 0) draft = with(draft, HeadCode::life_time, big_endian(below(4), 2));
      if (below(12) == 0) draft = control(Opcode::exec_tr, number);
      if (below(12) == 0) draft = control(Opcode::cancel_tr, number);
      if (below(12) == 0) draft = control(Opcode::snd_cancel, number);
      if (below(12) == 0)
        test.asks_buffer(below(3000), i);
      else
        test.gets(draft);
      if (below(6) == 0) test.at(test.now + milliseconds(below(3000)));
      if (below(3) == 0) test.receiver->executed(asking(draft_of(Opcode::rsp), below(i + 1)), test.now);
      if (test.receiver->is_over()) break;
      ASSERT_LE(test.receiver->window_used(), options.window);
      ASSERT_LE(test.receiver->octets_held(), options.window + options.granted + options.segment);
      ASSERT_LE(test.receiver->chains() + test.receiver->unanswered(), options.chains + 1);
    }
    test.ends(true);
    EXPECT_EQ(test.receiver->octets_held(), 0u);
    EXPECT_EQ(test.receiver->window_used(), 0u) << seed;
  }
}

}  // namespace
}  // namespace wirelaw::umsp
