// SPDX-License-Identifier: Apache-2.0
// Instructions outside of chains, and sequences (RFC 3018 7, 7.1).
#include "reference/umsp/chains/receiver.h"

#include <gmock/gmock.h>

#include "reference/umsp/chains/test_chains.h"

namespace wirelaw::umsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// ---------------------------------------------------------------------------------------------------------- outside

TEST(ChainReceiver, ExecutesWhatIsInNoChainAtOnce) {
  TestReceiver test;
  test.gets(asking(numbered(1), 5));
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1));
  EXPECT_FALSE(test.vm.executed[0].at.chained);
  EXPECT_EQ(test.vm.executed[0].at.session, kTestSession);
  EXPECT_THAT(test.sent, ElementsAre("RSP 5"));
}

TEST(ChainReceiver, PassesTheLifetimeOfWhatIsWholeToTheVmAndDoesNotCountIt) {
  TestReceiver test;
  test.at(seconds(1000));
  test.gets(with(numbered(1), HeadCode::life_time, {0, 0}));
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1));
  EXPECT_EQ(test.vm.executed[0].at.life_time, 0u);
}

TEST(ChainReceiver, RefusesForTheVmWhereItGivesNoResponse) {
  TestReceiver test;
  test.vm.responds_ = false;
  test.vm.refuses = {1};
  test.gets(asking(numbered(1), 5));
  test.gets(numbered(1));
  EXPECT_THAT(test.sent, ElementsAre("RSP 5 !"));
}

TEST(ChainReceiver, DoesNotExecuteHeadersOfChainsOutsideOfThem) {
  TestReceiver test;
  test.gets(asking(with(numbered(1), HeadCode::end_chain), 5));
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  EXPECT_THAT(test.sent, ElementsAre("RSP 5 !"));
}

TEST(ChainReceiver, HandsResponsesToTheVm) {
  TestReceiver test;
  test.gets(asking(draft_of(Opcode::data, {0, 0, 0, 9}), 5));
  ASSERT_EQ(test.vm.responses.size(), 1u);
  EXPECT_EQ(test.vm.responses[0].req_id, 5u);
  EXPECT_THAT(test.sent, IsEmpty());
}

// -------------------------------------------------------------------------------------------------------- sequences

TEST(ChainReceiver, ExecutesASequenceAsItComesAndAnswersOnce) {
  TestReceiver test;
  const auto all = sequence(9, numbers(3, 5));
  test.gets(all[0]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1));
  test.gets(all[1]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2));
  EXPECT_THAT(test.sent, IsEmpty());
  test.gets(all[2]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2, 3));
  EXPECT_THAT(test.sent, ElementsAre("RSP 5"));
  EXPECT_EQ(test.receiver->chains(), 0u);
  EXPECT_EQ(test.receiver->octets_held(), 0u);
}

TEST(ChainReceiver, EndsASequenceByNop) {
  TestReceiver test;
  auto all = numbers(2, 5);
  all.push_back(draft_of(Opcode::nop));
  for (const Draft& one : sequence(9, all)) test.gets(one);
  EXPECT_THAT(test.sent, ElementsAre("RSP 5"));
}

TEST(ChainReceiver, DropsTheRestOfASequenceBehindARefusal) {
  TestReceiver test;
  test.vm.refuses = {2};
  for (const Draft& one : sequence(9, numbers(4, 5))) test.gets(one);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1));
  EXPECT_THAT(test.sent, ElementsAre("RSP 5 !"));
  test.vm.refuses = {};
  for (const Draft& one : sequence(9, numbers(2, 6))) test.gets(one);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 1, 2));
}

TEST(ChainReceiver, PutsASequenceInOrderWithinTheWindow) {
  TestReceiver test({.window = 64});
  test.arrival.alone = false;
  const auto all = sequence(9, numbers(4, 5));
  test.gets(all[3]);
  test.gets(all[1]);
  EXPECT_EQ(test.receiver->window_used(), wire_octets(all[3]) + wire_octets(all[1]));
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
  test.gets(all[0]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2));
  test.gets(all[2]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(test.receiver->window_used(), 0u);
  EXPECT_THAT(test.sent, ElementsAre("RSP 5"));
}

TEST(ChainReceiver, BreaksOffWhereDisorderDoesNotFitTheWindow) {
  const auto all = sequence(9, numbers(5));
  std::uint64_t octets = 0;
  for (std::size_t i = 1; i < all.size(); ++i) octets += wire_octets(all[i]);
  TestReceiver test({.window = octets - 1});
  test.arrival.alone = false;
  for (std::size_t i = 4; i > 0; --i) test.gets(all[i]);
  EXPECT_THAT(test.sent, ElementsAre("break off"));
  test.gets(all[0]);
  EXPECT_THAT(test.vm.numbers(), IsEmpty());
}

TEST(ChainReceiver, TakesNoBufferForASequenceInOrder) {
  TestReceiver test({.window = 0});
  for (const Draft& one : sequence(9, numbers(100))) test.gets(one);
  EXPECT_EQ(test.vm.executed.size(), 100u);
}

TEST(ChainReceiver, RefusesAGapThatNothingCanFill) {
  TestReceiver test;
  const auto all = sequence(9, numbers(4, 5));
  test.gets(all[0]);
  test.gets(all[2]);
  test.gets(all[1]);
  test.gets(all[3]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1));
  EXPECT_THAT(test.sent, ElementsAre("RSP 5 !"));
}

TEST(ChainReceiver, CountsOnceWhatComesTwice) {
  TestReceiver test;
  const auto all = sequence(9, numbers(3));
  for (const std::size_t i : {0u, 1u, 1u, 2u}) test.gets(all[i]);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2, 3));
}

TEST(ChainReceiver, ChangesTheBaseOfASequence) {
  TestReceiver test;
  auto all = numbers(4);
  all[1] = with(all[1], HeadCode::set_mbase, {0, 0, 0x10, 0});
  all[3] = with(all[3], HeadCode::set_mbase, {0, 0, 0x20, 0});
  for (const Draft& one : sequence(9, all)) test.gets(one);
  EXPECT_EQ(test.vm.executed[0].at.base, std::nullopt);
  EXPECT_TRUE(test.vm.executed[0].at.chained);
  EXPECT_EQ(test.vm.executed[1].at.base, 0x1000u);
  EXPECT_EQ(test.vm.executed[2].at.base, 0x1000u);
  EXPECT_EQ(test.vm.executed[3].at.base, 0x2000u);
}

TEST(ChainReceiver, TakesTheBaseOfCompleteAndShortAddresses) {
  TestReceiver three({.address_octets = 3});
  three.gets(sequence(9, {with(numbered(1), HeadCode::set_mbase, {0, 1, 2, 3})})[0]);
  EXPECT_EQ(three.vm.executed[0].at.base, 0x010203u);
  three.gets(asking(sequence(9, {with(numbered(1), HeadCode::set_mbase, {1, 1, 2, 3})})[0], 5));
  EXPECT_THAT(three.sent, ElementsAre("RSP 5 !"));
  const OctetBuffer complete{0x40, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1, 0xaa, 0xbb, 0xcc, 0xdd};
  three.gets(sequence(8, {with(numbered(2), HeadCode::set_mbase, complete)})[0]);
  EXPECT_EQ(three.vm.executed[1].at.base, 0xbbccddu);
  TestReceiver two({.address_octets = 2});
  two.gets(asking(sequence(9, {with(numbered(1), HeadCode::set_mbase, {0, 0, 2, 3})})[0], 5));
  EXPECT_THAT(two.sent, ElementsAre("RSP 5 !"));
}

TEST(ChainReceiver, AnswersASequenceWhenItsThreadsAreDone) {
  TestReceiver test;
  test.vm.begins = {2};
  for (const Draft& one : sequence(9, numbers(3, 5))) test.gets(one);
  EXPECT_THAT(test.vm.numbers(), ElementsAre(1, 2, 3));
  EXPECT_THAT(test.sent, IsEmpty());
  EXPECT_EQ(test.receiver->unanswered(), 1u);
  test.vm_responds(asking(draft_of(Opcode::return_control), 5));
  EXPECT_THAT(test.sent, ElementsAre("RETURN 5"));
  EXPECT_EQ(test.receiver->unanswered(), 0u);
  test.vm_responds(asking(draft_of(Opcode::rsp), 5));
  EXPECT_EQ(test.sent.back(), "not of a chain");
}

}  // namespace
}  // namespace wirelaw::umsp
