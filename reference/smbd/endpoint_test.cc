// SPDX-License-Identifier: Apache-2.0
// Sections 3.1.5.1, 3.1.5.4, 3.1.5.5, 3.1.5.8, 3.1.5.9, 3.1.6.2 and the end of a connection.
#include "reference/smbd/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/smbd/test_endpoint.h"

namespace wirelaw::smbd {
namespace {

using testing::ElementsAre;

constexpr Options kSmall{.receive_credit_max = 10, .send_credit_target = 10, .max_send_size = 1024};

// A negotiated connection, without the messages and events of the negotiation.
struct Ready : Rig {
  explicit Ready(Role role = Role::initiator, const Options& options = kSmall, std::uint16_t credits = 10,
                 std::uint32_t receive_size = 1024)
      : Rig(role, options) {
    negotiate(credits, receive_size);
    if (role == Role::responder) feed(message_of({.credits_requested = credits, .credits_granted = credits}));
    looked = sent.size();
    receives.clear();
  }
  MessageId post(const OctetBuffer& data, std::optional<Token> token = std::nullopt) {
    const auto id = endpoint->send(data, token);
    EXPECT_TRUE(id);
    drain();
    return id.value_or(0);
  }
};

// ---------------------------------------------------------------------------------------------------------- sending

TEST(Send, PutsASmallMessageIntoOneSegmentWithTheFirstGrant) {
  Ready rig;
  rig.post(pattern(500));
  const auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].credits_requested, 10);
  EXPECT_EQ(messages[0].credits_granted, 10) << "what was posted when the negotiation ended (SMBD/A41)";
  EXPECT_EQ(messages[0].flags, 0);
  EXPECT_EQ(messages[0].reserved, 0);
  EXPECT_EQ(messages[0].remaining_data_length, 0u);
  EXPECT_EQ(messages[0].data_offset, 24u);
  EXPECT_EQ(messages[0].data_length, 500u);
  EXPECT_EQ(to_hex(messages[0].padding), "00000000");
  EXPECT_EQ(to_hex(messages[0].buffer), to_hex(pattern(500)));
  EXPECT_TRUE(messages[0].trailing.empty());
}

TEST(Send, CutsAMessageWithWhatRemainsBehindEachFragment) {
  Ready rig;
  rig.post(pattern(2500));
  const auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 3u);
  OctetBuffer together;
  const std::uint32_t remaining[] = {1500, 500, 0}, lengths[] = {1000, 1000, 500};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(messages[i].remaining_data_length, remaining[i]);
    EXPECT_EQ(messages[i].data_length, lengths[i]);
    EXPECT_LE(messages[i].octets(), 1024u);
    together.insert(together.end(), messages[i].buffer.begin(), messages[i].buffer.end());
  }
  EXPECT_EQ(together, pattern(2500));
}

TEST(Send, RefusesWhatThePeerCannotReassemble) {
  Ready rig;
  EXPECT_EQ(rig.endpoint->send(OctetBuffer(131'073)).error(), SendError::too_long);
  EXPECT_TRUE(rig.endpoint->send(OctetBuffer(131'072)));
}

TEST(Send, RefusesDataWhereNoSegmentHasRoomForIt) {
  Options options = kSmall;
  options.max_send_size = 24;
  Ready rig(Role::initiator, options);
  EXPECT_EQ(rig.endpoint->send(pattern(1)).error(), SendError::no_room);
  rig.post({});
  EXPECT_EQ(rig.messages().size(), 1u) << "an empty one has";
}

TEST(Send, SendsAnEmptyMessageOfTwentyOctets) {
  Ready rig;
  rig.post({});
  ASSERT_EQ(rig.messages().size(), 1u);
  EXPECT_EQ(to_hex(rig.sent.back().octets), "0a000a0000000000000000000000000000000000");
}

TEST(Send, InvalidatesWithExactlyOneSegment) {
  Ready rig;
  rig.post(pattern(2500), 0x1A00BC57);
  std::vector<std::optional<Token>> tokens;
  for (std::size_t i = 1; i < rig.sent.size(); ++i) tokens.push_back(rig.sent[i].invalidate);
  EXPECT_THAT(tokens, ElementsAre(0x1A00BC57, std::nullopt, std::nullopt));

  Options options = kSmall;
  options.remote_invalidation = false;
  Ready without(Role::initiator, options);
  without.post(pattern(5), 7);
  EXPECT_EQ(without.sent.back().invalidate, std::nullopt);
}

TEST(Send, ReportsAMessageWhenItsLastSegmentHasLeft) {
  Ready rig;
  const MessageId id = rig.post(pattern(1500));
  rig.endpoint->completed(rig.sent[1].id, true, rig.now);
  rig.drain();
  EXPECT_TRUE(rig.all<Sent>().empty());
  rig.endpoint->completed(rig.sent[2].id, true, rig.now);
  rig.drain();
  ASSERT_EQ(rig.all<Sent>().size(), 1u);
  EXPECT_EQ(rig.all<Sent>()[0].id, id);
  EXPECT_TRUE(rig.all<Sent>()[0].ok);
}

TEST(Send, EndsTheConnectionWhereTheRdmaLayerFails) {
  Ready rig;
  rig.post(pattern(5));
  rig.post(pattern(5));
  rig.endpoint->completed(rig.sent[1].id, false, rig.now);
  rig.drain();
  EXPECT_EQ(rig.reason(), Reason::send_failed);
  rig.endpoint->disconnected(rig.now);
  rig.drain();
  std::vector<bool> results;
  for (const Sent& one : rig.all<Sent>()) results.push_back(one.ok);
  EXPECT_THAT(results, ElementsAre(false, false));
}

// --------------------------------------------------------------------------------------------------------- credits

TEST(Credits, StopASenderThatHasNone) {
  Ready rig(Role::initiator, kSmall, 4);
  rig.post(pattern(10'000));  // ten segments
  auto messages = rig.messages();
  EXPECT_EQ(messages.size(), 4u);
  EXPECT_EQ(rig.endpoint->send_credits(), 0u);
  rig.feed(message_of({.credits_requested = 4, .credits_granted = 3}));
  messages = rig.messages();
  ASSERT_EQ(messages.size(), 3u) << "what was queued goes on";
  EXPECT_EQ(messages[0].remaining_data_length, 5000u);
}

// 3.1.5.1, 3.1.5.9: with the last credit, grants one above the target rather than none (SMBD/A10).
TEST(Credits, AreGrantedWithTheLastOne) {
  Ready rig(Role::initiator, kSmall, 4);
  for (int i = 0; i < 6; ++i) rig.post(pattern(5));
  const auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 4u);
  std::vector<int> granted;
  for (const DataTransfer& one : messages) granted.push_back(one.credits_granted);
  EXPECT_THAT(granted, ElementsAre(4, 0, 0, 1));
  EXPECT_EQ(rig.endpoint->receive_credits(), 5u);
}

TEST(Credits, AreNotSpentToTheLastWhereNoneCanBeGranted) {
  Options options = kSmall;
  options.backlog_octets = 100;
  Ready rig(Role::initiator, options, 2);
  // Delivered but not fetched: there is no memory for more.
  rig.endpoint->receive(data_of(pattern(200), {.credits_requested = 2}), std::nullopt, rig.now);
  ASSERT_TRUE(rig.endpoint->send(pattern(5)));
  ASSERT_TRUE(rig.endpoint->send(pattern(5)));
  for (Work one; rig.endpoint->next_work(one);) rig.take(std::move(one));
  EXPECT_EQ(rig.messages().size(), 1u);
  EXPECT_EQ(rig.endpoint->send_credits(), 1u);
  rig.drain();  // fetches the event
  const auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_GT(messages[0].credits_granted, 0);
}

TEST(Credits, FollowWhatThePeerRequests) {
  Ready rig(Role::responder, kSmall, 4);
  EXPECT_EQ(rig.endpoint->receive_credits(), 3u);
  rig.feed(message_of({.credits_requested = 9}));
  rig.post(pattern(5));
  auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].credits_granted, 7) << "2 are there, 9 are wanted";
  rig.feed(message_of({.credits_requested = 2}));
  rig.post(pattern(5));
  messages = rig.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].credits_granted, 0);
}

TEST(Credits, AreGrantedByAnEmptyMessageWhenThePeerRunsLow) {
  Ready rig(Role::responder, kSmall, 10);  // one is spent
  for (int i = 0; i < 6; ++i) rig.feed(data_of(pattern(5)));
  EXPECT_TRUE(rig.messages().empty());
  rig.feed(data_of(pattern(5)));
  const auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(messages[0].is_empty());
  EXPECT_EQ(messages[0].octets(), 20u);
  EXPECT_EQ(messages[0].credits_granted, 8);
}

TEST(Credits, AnswerAnEmptyMessageAfterAShortWhile) {
  Ready rig(Role::responder, kSmall, 1);
  EXPECT_TRUE(rig.messages().empty());
  EXPECT_EQ(rig.endpoint->deadline(), rig.now + milliseconds(100));
  rig.pass(milliseconds(100));
  const auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].credits_granted, 1);
}

TEST(Credits, OfThePeerAreReceivesThatArePosted) {
  Ready rig(Role::responder, kSmall, 3);
  std::size_t granted = 0;
  for (int i = 0; i < 20; ++i) {
    rig.feed(data_of(pattern(5), {.credits_requested = 3, .credits_granted = 3}));
    rig.post(pattern(5));
    for (const DataTransfer& one : rig.messages()) granted += one.credits_granted;
  }
  EXPECT_EQ(granted, rig.receives.size());
  EXPECT_LE(rig.endpoint->receive_credits(), 4u);
}

TEST(Credits, WithoutOneAMessageEndsTheConnection) {
  Ready rig(Role::initiator, kSmall, 1);
  rig.feed(data_of(pattern(5)));
  EXPECT_EQ(rig.reason(), std::nullopt) << "a receive is posted, granted or not";
  Ready withheld(Role::initiator, {.send_credit_target = 10, .receive_octets = 1024}, 1);
  withheld.endpoint->receive(data_of(pattern(5), {.credits_requested = 1}), std::nullopt, withheld.now);
  withheld.endpoint->receive(data_of(pattern(5), {.credits_requested = 1}), std::nullopt, withheld.now);
  withheld.endpoint->receive(data_of(pattern(5), {.credits_requested = 1}), std::nullopt, withheld.now);
  withheld.drain();
  EXPECT_EQ(withheld.reason(), Reason::no_receive_posted);
}

// -------------------------------------------------------------------------------------------------------- receiving

TEST(Receive, DeliversAMessageInOneOrInManyFragments) {
  Ready rig;
  rig.feed(data_of(pattern(30)));
  rig.feed(data_of(pattern(10, 2), {.remaining = 15}));
  rig.feed(data_of(pattern(10, 3), {.remaining = 5}));
  EXPECT_EQ(rig.received().size(), 1u);
  rig.feed(data_of(pattern(5, 4)));
  ASSERT_EQ(rig.received().size(), 2u);
  EXPECT_EQ(rig.received()[0], pattern(30));
  OctetBuffer together = pattern(10, 2);
  for (const OctetBuffer& part : {pattern(10, 3), pattern(5, 4)})
    together.insert(together.end(), part.begin(), part.end());
  EXPECT_EQ(rig.received()[1], together);
  EXPECT_EQ(rig.endpoint->octets_held(), 0u);
}

TEST(Receive, IgnoresWhatHasNoMeaning) {
  Ready rig;
  OctetBuffer octets = data_of(pattern(5));
  octets[4] = 0xfe, octets[6] = 0xff;               // other flags, Reserved
  octets[20] = 0xee;                                // Padding
  octets.insert(octets.end(), {0xdd, 0xdd, 0xdd});  // after the data (SMBD/A20)
  rig.feed(octets);
  EXPECT_THAT(rig.received(), ElementsAre(pattern(5)));
}

TEST(Receive, TakesDataFromAnyAlignedOffset) {
  Ready rig;
  OctetBuffer behind(12 + 5);
  const OctetBuffer data = pattern(5);
  std::ranges::copy(data, behind.begin() + 12);
  rig.feed(message_of({.offset = 32, .length = 5}, behind));
  EXPECT_THAT(rig.received(), ElementsAre(data));
}

TEST(Receive, KeepsEmptyMessagesToItself) {
  Ready rig;
  rig.feed(message_of({.credits_granted = 1}));
  EXPECT_TRUE(rig.received().empty());
  EXPECT_FALSE(rig.ended);
}

TEST(Receive, ReportsWhatWasInvalidatedBeforeTheMessageItCameWith) {
  Ready rig;
  rig.feed(data_of(pattern(10), {.remaining = 5}), 0x77);
  EXPECT_TRUE(rig.all<Invalidated>().empty());
  rig.feed(data_of(pattern(5)));
  ASSERT_GE(rig.events.size(), 2u);
  ASSERT_TRUE(std::holds_alternative<Invalidated>(rig.events[rig.events.size() - 2]));
  EXPECT_EQ(rig.all<Invalidated>()[0].token, 0x77u);
  EXPECT_TRUE(std::holds_alternative<Received>(rig.events.back()));
}

TEST(Receive, EndsTheConnectionOnAMessageThatIsNotRight) {
  struct Bad {
    Reason reason;
    OctetBuffer octets;
  };
  const Bad kBad[] = {
      {Reason::message_too_short, OctetBuffer(19)},
      {Reason::message_too_short, {}},
      {Reason::no_credits_requested, data_of(pattern(5), {.credits_requested = 0})},
      {Reason::data_not_aligned, message_of({.offset = 20, .length = 1}, pattern(8))},
      {Reason::data_beyond_message, message_of({.offset = 24, .length = 5}, pattern(8))},
      {Reason::data_beyond_message, message_of({.offset = 32, .length = 0}, pattern(8))},
      {Reason::data_beyond_message, message_of({.offset = 0xffffffe8, .length = 24}, pattern(8))},
      {Reason::data_beyond_message, message_of({.offset = 24, .length = 0xffffffe8}, pattern(8))},
      {Reason::message_too_long_for_reassembly, data_of(pattern(5), {.remaining = 1'048'576 - 4})},
      {Reason::message_too_long_for_reassembly, data_of(pattern(5), {.remaining = 0xfffffffe})},
      {Reason::message_longer_than_receive, OctetBuffer(1025, 1)},
  };
  for (const Bad& bad : kBad) {
    Ready rig;
    rig.feed(bad.octets);
    EXPECT_EQ(rig.reason(), bad.reason) << to_hex(
        Octets(bad.octets).first(std::min<std::size_t>(28, bad.octets.size())));
    ASSERT_TRUE(rig.ended);
    EXPECT_TRUE(rig.ended->abortive);
    EXPECT_TRUE(rig.received().empty());
    rig.feed(data_of(pattern(5)));
    EXPECT_TRUE(rig.received().empty()) << "nothing is processed after the end";
  }
}

TEST(Receive, TakesTheLongestMessageThatItHasAnnounced) {
  Ready rig;
  rig.feed(data_of(pattern(1000), {.remaining = 1'048'576 - 1000}));
  EXPECT_FALSE(rig.ended);
}

TEST(Receive, EndsTheConnectionOnFragmentsThatEndEarly) {
  for (const bool empty : {false, true}) {
    Ready rig;
    rig.feed(data_of(pattern(5), {.remaining = 10}));
    rig.feed(empty ? message_of({}) : data_of(pattern(5)));
    EXPECT_EQ(rig.reason(), Reason::fragments_end_early);
  }
}

TEST(Receive, BoundsAMessageWhoseFragmentsNeverEnd) {
  Ready rig(Role::initiator, {.max_fragmented_recv_size = 131'072, .grant_delay = Instant{}}, 255);
  for (int i = 0; i < 1000 && !rig.ended; ++i) {
    rig.feed(data_of(pattern(1000), {.credits_requested = 255, .credits_granted = 9, .remaining = 1000}));
    ASSERT_LE(rig.endpoint->octets_held(), 131'072u);
  }
  EXPECT_EQ(rig.reason(), Reason::message_too_long_for_reassembly);
}

TEST(Receive, WithholdsCreditsWhileNothingIsFetched) {
  Ready rig(Role::initiator, {.backlog_octets = 10'000}, 10);
  std::size_t accepted = 0;
  for (; rig.endpoint->phase() == Phase::established; ++accepted) {
    ASSERT_LT(accepted, 100u);
    rig.endpoint->receive(data_of(pattern(900), {.credits_granted = 5}), std::nullopt, rig.now);
  }
  EXPECT_LE(rig.endpoint->octets_held(), 10'000u + 11 * 1024u);
  rig.drain();
  EXPECT_EQ(rig.reason(), Reason::no_receive_posted);
}

// ------------------------------------------------------------------------------------------------------- keep-alive

TEST(KeepAlive, IsAnsweredAtOnceWithoutAskingBack) {
  Ready rig(Role::responder, kSmall, 10);
  rig.feed(message_of({.flags = flag::kResponseRequested}));
  const auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].flags, 0);
  EXPECT_GT(messages[0].credits_granted, 0);
}

TEST(KeepAlive, IsSentAfter120SecondsOfSilenceAndEndsTheConnectionAfter5More) {
  Ready rig(Role::initiator);
  rig.pass(seconds(119));
  EXPECT_TRUE(rig.messages().empty());
  rig.pass(seconds(1));
  const auto messages = rig.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(messages[0].requests_response());
  EXPECT_TRUE(messages[0].is_empty());
  EXPECT_EQ(rig.endpoint->deadline(), rig.now + seconds(5));
  rig.pass(seconds(5));
  EXPECT_EQ(rig.reason(), Reason::keepalive_unanswered);
  EXPECT_TRUE(rig.messages().empty());
}

TEST(KeepAlive, IsSatisfiedByAnyMessage) {
  Ready rig(Role::initiator);
  rig.pass(seconds(120));
  rig.pass(seconds(4));
  rig.feed(data_of(pattern(5)));
  EXPECT_EQ(rig.endpoint->deadline(), rig.now + seconds(120));
  rig.pass(seconds(119));
  EXPECT_FALSE(rig.ended);
}

TEST(KeepAlive, IsNotPutOffBySending) {
  Ready rig(Role::initiator);
  rig.pass(seconds(60));
  rig.post(pattern(5));
  EXPECT_EQ(rig.endpoint->deadline(), seconds(120)) << "receiving alone counts (SMBD/A36)";
}

TEST(KeepAlive, GoesWithAMessageThatWaits) {
  Ready rig(Role::initiator, kSmall, 2);
  rig.post(pattern(2500));
  EXPECT_EQ(rig.messages().size(), 2u);
  rig.pass(seconds(120));
  EXPECT_TRUE(rig.messages().empty()) << "no credit";
  rig.endpoint->receive(message_of({.credits_granted = 2}), std::nullopt, rig.now);
  rig.drain();
  ASSERT_EQ(rig.messages().size(), 1u);
  EXPECT_FALSE(rig.ended);
}

TEST(KeepAlive, EndsAConnectionWhosePeerLeavesNoCredits) {
  Ready rig(Role::initiator, kSmall, 2);
  rig.post(pattern(2500));
  rig.pass(seconds(120));
  rig.pass(seconds(5));
  EXPECT_EQ(rig.reason(), Reason::keepalive_unanswered);
}

// ---------------------------------------------------------------------------------------------------------- the end

TEST(Close, EndsTheConnectionBehindWhatIsQueued) {
  Ready rig(Role::initiator, kSmall, 2);
  rig.post(pattern(2500));
  rig.endpoint->close(rig.now);
  rig.drain();
  EXPECT_FALSE(rig.ended);
  EXPECT_EQ(rig.endpoint->send(pattern(1)).error(), SendError::not_established);
  rig.feed(message_of({.credits_granted = 2}));
  ASSERT_TRUE(rig.ended);
  EXPECT_FALSE(rig.ended->abortive);
  EXPECT_EQ(rig.sent.size(), 4u);
}

TEST(Close, IsAbortiveAfterItsTimeout) {
  Ready rig(Role::initiator, kSmall, 2);
  rig.post(pattern(2500));
  rig.endpoint->close(rig.now);
  rig.pass(seconds(5));
  EXPECT_EQ(rig.reason(), Reason::close_timeout);
  ASSERT_TRUE(rig.ended);
  EXPECT_TRUE(rig.ended->abortive);
}

TEST(Close, EndsAnIdleConnectionAtOnce) {
  Ready rig;
  rig.endpoint->close(rig.now);
  rig.drain();
  ASSERT_TRUE(rig.ended);
  EXPECT_FALSE(rig.ended->abortive);
  EXPECT_EQ(rig.reason(), Reason::closed_by_upper_layer);
}

TEST(Abort, EndsTheConnectionWhateverIsQueued) {
  Ready rig(Role::initiator, kSmall, 2);
  rig.post(pattern(2500));
  rig.endpoint->abort(rig.now);
  rig.drain();
  ASSERT_TRUE(rig.ended);
  EXPECT_TRUE(rig.ended->abortive);
  EXPECT_EQ(rig.endpoint->queued(), 0u);
}

TEST(Reason, HasASectionAndAText) {
  for (std::size_t i = 0; i < kReasons; ++i) {
    const ReasonInfo& info = describe(static_cast<Reason>(i));
    EXPECT_FALSE(info.section.empty());
    EXPECT_FALSE(info.text.empty());
  }
}

}  // namespace
}  // namespace wirelaw::smbd
