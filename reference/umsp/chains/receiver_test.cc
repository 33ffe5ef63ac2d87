// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/chains/receiver.h"

#include <gmock/gmock.h>

#include <random>

#include "reference/umsp/chains/test_chains.h"

namespace wirelaw::umsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TransactionTerms kAtOnce{};
constexpr TransactionTerms kLater{.after_sending = false};

std::vector<Draft> sequence(std::uint16_t number, std::vector<Draft> all) {
  return chain_of(number, HeadCode::begin_sq, {}, std::move(all));
}
std::vector<Draft> transaction(std::uint16_t number, const TransactionTerms& terms, std::vector<Draft> all) {
  return chain_of(number, HeadCode::begin_tr, encode(terms), std::move(all));
}
// Fragments of `instruction`, by hand: without SESSION_ID and REQ_ID.
std::vector<Draft> fragments(std::uint16_t number, Draft instruction, std::size_t size, OctetBuffer parent = {}) {
  instruction.session_id = kTestSession;
  const OctetBuffer octets = write(instruction);
  auto inner = decode(octets, kUnlimited);
  inner->header.form = Form::fragmented;
  const OctetBuffer cut = encode(*inner);
  std::vector<Draft> all;
  for (std::size_t at = 0; at < cut.size(); at += size) {
    const Octets piece = Octets(cut).subspan(at, std::min(size, cut.size() - at));
    all.push_back(draft_of(Opcode::nop, OctetBuffer(piece.begin(), piece.end())));
  }
  all.front().req_id = instruction.req_id;
  return chain_of(number, HeadCode::begin_frg, std::move(parent), std::move(all));
}
Draft control(Opcode opcode, std::uint16_t number) {
  Draft draft = linked(draft_of(opcode), number, 0);
  if (opcode == Opcode::snd_cancel) draft.operands = {0, 0, 0, 0};
  return draft;
}
std::vector<Draft> numbers(std::uint32_t count, std::optional<std::uint32_t> req_id = {}) {
  std::vector<Draft> all;
  for (std::uint32_t i = 1; i <= count; ++i) all.push_back(numbered(i));
  all.front().req_id = req_id;
  return all;
}

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

// ------------------------------------------------------------------------------------------------------ transactions

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

// --------------------------------------------------------------------------------------------------------- fragments

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

// --------------------------------------------------------------------------------------------- what is not in order

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
  // _DATA of 4 GiB, of which a few octets come.
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
