// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/chains/sender.h"

#include <gmock/gmock.h>

#include "reference/umsp/chains/test_chains.h"

namespace wirelaw::umsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Instant kNow{0};

bool has(const Draft& draft, HeadCode code) {
  return std::ranges::any_of(draft.extensions, [&](const auto& one) { return one.head_code == code; });
}
std::uint64_t octets_in(const std::vector<Draft>& all) {
  std::uint64_t octets = 0;
  for (const Draft& one : all) octets += wire_octets(one);
  return octets;
}

TEST(ChainSender, SendsWhatIsShortAsItIs) {
  TestSender test;
  EXPECT_EQ(test.sender->send(asking(numbered(1), 5), kNow), ChainSender::kNoChain);
  const auto all = test.gives();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].req_id, 5u);
  EXPECT_FALSE(all[0].chain);
}

TEST(ChainSender, NumbersASequenceAndEndsIt) {
  TestSender test;
  const auto id = *test.sender->begin_sequence(kNow);
  ASSERT_TRUE(test.sender->add(id, asking(numbered(1), 5), kNow));
  ASSERT_TRUE(test.sender->add(id, numbered(2), kNow));
  EXPECT_EQ(test.sender->add(id, asking(numbered(3), 6), kNow).error(), SendError::has_req_id);
  ASSERT_TRUE(test.sender->end(id, kNow));
  EXPECT_EQ(test.sender->add(id, numbered(3), kNow).error(), SendError::ended);
  const auto all = test.gives();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(has(all[0], HeadCode::begin_sq));
  EXPECT_EQ(all[0].chain, (ChainPlace{1, 0}));
  EXPECT_EQ(all[1].chain, (ChainPlace{1, 1}));
  EXPECT_TRUE(has(all[1], HeadCode::end_chain));
  EXPECT_EQ(test.sender->chains(), 0u);
}

TEST(ChainSender, EndsASequenceThatWasSentByNop) {
  TestSender test;
  const auto id = *test.sender->begin_sequence(kNow);
  ASSERT_TRUE(test.sender->add(id, numbered(1), kNow));
  EXPECT_EQ(test.gives().size(), 1u);
  ASSERT_TRUE(test.sender->end(id, kNow));
  const auto all = test.gives();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].is(Opcode::nop));
  EXPECT_TRUE(has(all[0], HeadCode::end_chain));
}

TEST(ChainSender, SendsNothingMoreOfASequenceThatFailed) {
  TestSender test;
  const auto id = *test.sender->begin_sequence(kNow);
  ASSERT_TRUE(test.sender->add(id, asking(numbered(1), 5), kNow));
  EXPECT_EQ(test.gives().size(), 1u);
  ASSERT_TRUE(test.sender->add(id, numbered(2), kNow));
  EXPECT_FALSE(test.gets(make_response(Opcode::rsp, 5, {1, 0}))) << "it is the VM's";
  EXPECT_THAT(test.gives(), IsEmpty());
  EXPECT_EQ(test.sender->add(id, numbered(2), kNow).error(), SendError::unknown_chain);
}

TEST(ChainSender, PutsATransactionIntoOneSegment) {
  TestSender test;
  ASSERT_TRUE(test.sender->send_transaction({}, {asking(numbered(1), 5), numbered(2)}, kNow));
  Sendable one;
  ASSERT_TRUE(test.sender->next(one, kNow));
  EXPECT_TRUE(one.together);
  EXPECT_TRUE(has(one.instruction, HeadCode::begin_tr));
  EXPECT_EQ(one.instruction.req_id, 5u);
  ASSERT_TRUE(test.sender->next(one, kNow));
  EXPECT_FALSE(one.together);
  EXPECT_TRUE(has(one.instruction, HeadCode::end_chain));
  EXPECT_EQ(test.sender->chains(), 0u);
  EXPECT_TRUE(test.gets(make_response(Opcode::rsp_p, 5)));
  EXPECT_THAT(test.for_vm(), ElementsAre("RSP 5"));
}

TEST(ChainSender, AsksForABufferForWhatIsExecutedLater) {
  TestSender test;
  const auto id = *test.sender->send_transaction({.after_sending = false}, {asking(numbered(1), 5), numbered(2)}, kNow);
  ASSERT_TRUE(test.sender->execute(id, 6, kNow));
  auto all = test.gives();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].is(Opcode::req_buf));
  const auto octets = Reader(all[0].operands).big_endian<std::uint32_t>();
  EXPECT_TRUE(test.gets(make_response(Opcode::rsp_p, *all[0].req_id)));
  all = test.gives();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all[2].is(Opcode::exec_tr));
  EXPECT_EQ(all[2].req_id, 6u);
  EXPECT_EQ(all[2].chain, (ChainPlace{1, 0}));
  all.pop_back();
  EXPECT_EQ(octets_in(all), octets);
  EXPECT_EQ(all[0].req_id, 5u);
  EXPECT_EQ(test.sender->chains(), 0u);
}

TEST(ChainSender, ReportsABufferThatIsRefused) {
  TestSender test;
  ASSERT_TRUE(test.sender->send_transaction({.after_sending = false}, {asking(numbered(1), 5)}, kNow));
  const auto all = test.gives();
  EXPECT_TRUE(test.gets(make_response(Opcode::rsp_p, *all.at(0).req_id, {1, 0})));
  EXPECT_THAT(test.for_vm(), ElementsAre("RSP 5 !"));
  EXPECT_THAT(test.gives(), IsEmpty());
  EXPECT_EQ(test.sender->chains(), 0u);
  EXPECT_EQ(test.sender->queued(), 0u);
}

TEST(ChainSender, FragmentsThroughTheWindow) {
  for (const bool asked : {true, false}) {
    TestSender test({.segment = 128});
    ASSERT_TRUE(test.sender->send(asked ? asking(numbered(1, 500), 5) : numbered(1, 500), kNow));
    const auto all = test.gives();
    ASSERT_GT(all.size(), 4u);
    for (const Draft& one : all) {
      EXPECT_TRUE(one.is(Opcode::nop));
      EXPECT_LE(wire_octets(one), 128u);
    }
    EXPECT_TRUE(has(all.front(), HeadCode::begin_frg));
    EXPECT_TRUE(has(all.back(), HeadCode::end_chain));
    ASSERT_TRUE(all.front().req_id);
    EXPECT_NE(all.front().req_id, 5u) << "the layer's own";
    EXPECT_EQ(test.sender->window_used(), octets_in(all));
    EXPECT_TRUE(test.gets(make_response(Opcode::rsp_p, *all.front().req_id)));
    EXPECT_EQ(test.sender->window_used(), 0u);
    EXPECT_EQ(test.for_vm(), asked ? std::vector<std::string>{"RSP 5"} : std::vector<std::string>{});
    EXPECT_EQ(test.sender->chains(), 0u);
  }
}

TEST(ChainSender, WaitsForRoomInTheWindow) {
  TestSender test({.window = 768, .segment = 128});
  ASSERT_TRUE(test.sender->send(asking(numbered(1, 500), 5), kNow));
  ASSERT_TRUE(test.sender->send(asking(numbered(2, 500), 6), kNow));
  const auto first = test.gives();
  EXPECT_LE(test.sender->window_used(), 768u);
  EXPECT_TRUE(test.gets(make_response(Opcode::rsp_p, *first.front().req_id)));
  const auto second = test.gives();
  ASSERT_FALSE(second.empty());
  EXPECT_NE(second.front().req_id, first.front().req_id);
  EXPECT_TRUE(test.gets(make_response(Opcode::rsp, *second.front().req_id)));
  EXPECT_THAT(test.for_vm(), ElementsAre("RSP 5", "RSP 6"));
}

TEST(ChainSender, AsksWhereTheWindowIsFullAndTheOptionSaysSo) {
  TestSender test({.window = 768, .segment = 128, .asks_when_full = true});
  ASSERT_TRUE(test.sender->send(asking(numbered(1, 500), 5), kNow));
  ASSERT_TRUE(test.sender->send(asking(numbered(2, 500), 6), kNow));
  const auto all = test.gives();
  EXPECT_TRUE(std::ranges::any_of(all, [](const Draft& one) { return one.is(Opcode::req_buf); }));
}

TEST(ChainSender, UsesTheWholeWindowAndNotOneOctetMore) {
  TestSender measure({.segment = 128});
  ASSERT_TRUE(measure.sender->send(asking(numbered(1, 500), 5), kNow));
  const std::uint64_t octets = octets_in(measure.gives());
  for (const std::uint64_t less : {0u, 1u}) {
    TestSender test({.window = octets - less, .segment = 128});
    ASSERT_TRUE(test.sender->send(asking(numbered(1, 500), 5), kNow));
    const auto all = test.gives();
    EXPECT_EQ(all.at(0).is(Opcode::req_buf), less == 1);
  }
}

TEST(ChainSender, AsksForABufferForAFragmentedResponse) {
  TestSender test({.segment = 128});
  ASSERT_TRUE(test.sender->send(asking(draft_of(Opcode::data, OctetBuffer(500, 1)), 5), kNow));
  auto all = test.gives();
  ASSERT_TRUE(all.at(0).is(Opcode::req_buf));
  EXPECT_TRUE(test.gets(make_response(Opcode::rsp_p, *all[0].req_id)));
  all = test.gives();
  EXPECT_EQ(all.at(0).req_id, 5u);
  EXPECT_EQ(test.sender->chains(), 0u);
}

TEST(ChainSender, CancelsWhatHasBegun) {
  TestSender test({.segment = 128});
  const auto id = *test.sender->send(numbered(1, 500), kNow);
  Sendable one;
  ASSERT_TRUE(test.sender->next(one, kNow));
  ASSERT_TRUE(test.sender->cancel_sending(id));
  EXPECT_EQ(test.sender->window_used(), 0u);
  const auto all = test.gives();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].is(Opcode::snd_cancel));
  EXPECT_EQ(all[0].chain, (ChainPlace{1, 0}));
  EXPECT_EQ(all[0].operands.size(), 4u);
  EXPECT_EQ(test.sender->queued(), 0u);
  EXPECT_FALSE(test.sender->cancel_sending(id));
}

TEST(ChainSender, UsesUpAGrantOfAChainThatWasCancelled) {
  TestSender test;
  const auto id = *test.sender->send_transaction({.after_sending = false}, {numbered(1), numbered(2)}, kNow);
  auto all = test.gives();
  ASSERT_TRUE(test.sender->cancel_sending(id));
  EXPECT_TRUE(test.gets(make_response(Opcode::rsp_p, *all.at(0).req_id)));
  all = test.gives();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(has(all[0], HeadCode::begin_tr));
  EXPECT_TRUE(all[1].is(Opcode::snd_cancel));
  EXPECT_EQ(test.sender->chains(), 0u);
}

TEST(ChainSender, TakesTheTimeInTheQueueOffTheLifetime) {
  TestSender test;
  ASSERT_TRUE(test.sender->send(with(numbered(1), HeadCode::life_time, {0, 10}), kNow));
  const auto all = test.gives(microseconds(1024 * 4));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].extensions.at(0).data, (OctetBuffer{0, 6}));
}

TEST(ChainSender, DropsWhatWaitsForLongerThanItLives) {
  TestSender test;
  ASSERT_TRUE(test.sender->send(asking(with(numbered(1), HeadCode::life_time, {0, 10}), 5), kNow));
  ASSERT_TRUE(test.sender->send(with(numbered(2), HeadCode::life_time, {0, 10}), kNow));
  EXPECT_THAT(test.gives(seconds(11)), IsEmpty());
  EXPECT_THAT(test.for_vm(), ElementsAre("RSP 5 !"));
  EXPECT_EQ(test.sender->queued(), 0u);
}

TEST(ChainSender, EndsASequenceWhenALifetimeIsOver) {
  TestSender test;
  const auto id = *test.sender->begin_sequence(kNow);
  ASSERT_TRUE(test.sender->add(id, asking(numbered(1), 5), kNow));
  EXPECT_EQ(test.gives().size(), 1u);
  ASSERT_TRUE(test.sender->add(id, with(numbered(2), HeadCode::life_time, {0, 10}), kNow));
  ASSERT_TRUE(test.sender->add(id, numbered(3), kNow));
  const auto all = test.gives(seconds(11));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].is(Opcode::nop));
  EXPECT_EQ(all[0].chain, (ChainPlace{1, 1}));
  EXPECT_THAT(test.for_vm(), ElementsAre("RSP 5 !"));
  EXPECT_TRUE(test.gets(make_response(Opcode::rsp, 5))) << "the VM has its response";
  EXPECT_THAT(test.for_vm(), IsEmpty());
}

TEST(ChainSender, ClearsTheRestOfFragmentsWhenTheirLifetimeIsOver) {
  TestSender test({.segment = 128});
  ASSERT_TRUE(test.sender->send(asking(with(numbered(1, 500), HeadCode::life_time, {0, 10}), 5), kNow));
  Sendable first;
  ASSERT_TRUE(test.sender->next(first, microseconds(1024)));
  EXPECT_EQ(first.instruction.extensions.at(1).data, (OctetBuffer{0, 9}));
  const auto all = test.gives(seconds(11));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].is(Opcode::snd_cancel));
  EXPECT_THAT(test.for_vm(), ElementsAre("RSP 5 !"));
  EXPECT_EQ(test.sender->window_used(), 0u);
}

TEST(ChainSender, SequencesTakeRoomUntilTheyAreDelivered) {
  TestSender test({.window = 40, .several_connections = true});
  const auto id = *test.sender->begin_sequence(kNow);
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_TRUE(test.sender->add(id, numbered(i), kNow));
  ASSERT_TRUE(test.sender->end(id, kNow));
  const auto all = test.gives();
  ASSERT_EQ(all.size(), 2u);
  test.sender->delivered(*all[0].chain);
  test.sender->delivered(*all[1].chain);
  EXPECT_EQ(test.sender->window_used(), 0u);
  EXPECT_EQ(test.gives().size(), 2u);
}

TEST(ChainSender, WithoutASessionChainsAreInOneSegment) {
  TestSender test({.window = 0, .zero_session = true});
  EXPECT_TRUE(test.sender->send_transaction({}, {numbered(1), numbered(2)}, kNow));
  EXPECT_EQ(test.sender->send(numbered(1, 5000), kNow).error(), SendError::not_in_one_segment);
  EXPECT_EQ(test.sender->send_transaction({.after_sending = false}, {numbered(1)}, kNow).error(),
            SendError::not_in_one_segment);
}

TEST(ChainSender, SendsNoChainsThatTheOtherSideDoesNotProvide) {
  TestSender test({.fragments = false, .sequences = false, .transactions = false});
  EXPECT_EQ(test.sender->send(numbered(1, 5000), kNow).error(), SendError::not_provided);
  EXPECT_EQ(test.sender->begin_sequence(kNow).error(), SendError::not_provided);
  EXPECT_EQ(test.sender->send_transaction({}, {numbered(1)}, kNow).error(), SendError::not_provided);
  EXPECT_EQ(test.sender->chains(), 0u);
  EXPECT_TRUE(test.sender->send(numbered(1), kNow));
  EXPECT_EQ(test.gives().size(), 1u);
}

TEST(ChainSender, RefusesWhatItCannotKeep) {
  TestSender test({.segment = 128, .chains = 2, .queue = 4000, .longest = 3000});
  EXPECT_EQ(test.sender->send(numbered(1, 3500), kNow).error(), SendError::too_long);
  EXPECT_EQ(test.sender->send_transaction({}, {}, kNow).error(), SendError::empty);
  EXPECT_EQ(test.sender->send_transaction({}, {with(numbered(1), HeadCode::life_time, {0, 1})}, kNow).error(),
            SendError::has_life_time);
  EXPECT_TRUE(test.sender->send(numbered(1, 1500), kNow));
  const auto more = test.sender->send(numbered(1, 2400), kNow);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error(), SendError::queue_full);
  ASSERT_TRUE(test.sender->begin_sequence(kNow));
  EXPECT_EQ(test.sender->begin_sequence(kNow).error(), SendError::too_many);
  EXPECT_EQ(test.sender->send(numbered(1, 500), kNow).error(), SendError::too_many);
}

}  // namespace
}  // namespace wirelaw::umsp
