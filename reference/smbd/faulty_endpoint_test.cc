// SPDX-License-Identifier: Apache-2.0
// The effect of each fault of order, size, credits and time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/smbd/test_endpoint.h"

namespace wirelaw::smbd {
namespace {

using enum Deviation;
using testing::ElementsAre;

constexpr Options kOptions{.receive_credit_max = 10, .send_credit_target = 10, .max_send_size = 1024};

struct Faulty : Rig {
  explicit Faulty(Deviation deviation, Role role = Role::initiator, std::uint16_t credits = 10)
      : Rig(role, kOptions, {deviation}) {
    negotiate(credits);
    if (role == Role::responder) feed(message_of({.credits_requested = credits, .credits_granted = credits}));
    looked = sent.size();
  }
  void post(const OctetBuffer& data, std::optional<Token> token = std::nullopt) {
    EXPECT_TRUE(endpoint->send(data, token));
    drain();
  }
  // Returns `value` of each message since the last call, in order.
  std::vector<std::uint32_t> each(std::uint32_t (*value)(const DataTransfer&)) {
    std::vector<std::uint32_t> values;
    for (const DataTransfer& one : messages()) values.push_back(value(one));
    return values;
  }
};

std::uint32_t remaining(const DataTransfer& one) {
  return one.remaining_data_length;
}
std::uint32_t length(const DataTransfer& one) {
  return one.data_length;
}
std::uint32_t granted(const DataTransfer& one) {
  return one.credits_granted;
}

std::vector<std::uint32_t> after_2500(Deviation deviation, std::uint32_t (*value)(const DataTransfer&)) {
  Faulty rig(deviation);
  rig.post(pattern(2500));
  return rig.each(value);
}

TEST(FaultyEndpoint, SendsFragmentsInAnotherOrder) {
  EXPECT_THAT(after_2500(fragments_swapped, remaining), ElementsAre(500, 1500, 0));
  EXPECT_THAT(after_2500(fragment_repeated, remaining), ElementsAre(1500, 1500, 500, 0));
  EXPECT_THAT(after_2500(fragment_missing, remaining), ElementsAre(1500, 0));
  EXPECT_THAT(after_2500(empty_between_fragments, length), ElementsAre(1000, 0, 1000, 500));
  EXPECT_THAT(after_2500(fragment_without_data, remaining), ElementsAre(2500, 1500, 500, 0));
  EXPECT_THAT(after_2500(fragment_without_data, length), ElementsAre(0, 1000, 1000, 500));
}

TEST(FaultyEndpoint, SpendsOneCreditForEachMessage) {
  for (const Deviation deviation : {fragment_repeated, empty_between_fragments, fragment_without_data}) {
    Faulty rig(deviation);
    rig.post(pattern(2500));
    EXPECT_EQ(rig.endpoint->send_credits(), 10u - 4u) << describe(deviation).name;
  }
}

TEST(FaultyEndpoint, SendsTooMuchInOneMessageOrSegment) {
  Faulty above_peer(segment_above_receive_size);
  above_peer.post(pattern(2500));
  EXPECT_EQ(above_peer.messages()[0].octets(), 1032u);
  Rig above_own(Role::initiator, {.send_credit_target = 10, .max_send_size = 512}, {segment_above_preferred_size});
  above_own.negotiate();
  ASSERT_TRUE(above_own.endpoint->send(pattern(2500)));
  above_own.drain();
  EXPECT_EQ(above_own.sent[1].octets.size(), 520u);
  Faulty long_message(message_above_fragmented_size);
  EXPECT_TRUE(long_message.endpoint->send(pattern(131'073)));
}

TEST(FaultyEndpoint, SpendsItsCreditsWrongly) {
  Faulty last(last_credit_without_grant, Role::initiator, 2);
  last.post(pattern(5));
  last.post(pattern(5));
  EXPECT_THAT(last.each(granted), ElementsAre(2, 0));
  Faulty none(spends_without_credit, Role::initiator, 2);
  none.post(pattern(4500));
  EXPECT_EQ(none.messages().size(), 5u);
  Rig early(Role::responder, kOptions, {spends_without_credit});
  early.negotiate();
  ASSERT_TRUE(early.endpoint->send(pattern(5)));
  early.drain();
  EXPECT_EQ(early.sent.size(), 2u) << "before the initiator has granted any";
}

TEST(FaultyEndpoint, GrantsCreditsWrongly) {
  const auto grants = [](Deviation deviation) {
    Faulty rig(deviation, Role::responder, 4);
    for (int i = 0; i < 2; ++i) {
      rig.feed(data_of(pattern(5), {.credits_requested = 4}));
      rig.post(pattern(5));
    }
    return rig.each(granted);
  };
  EXPECT_THAT(grants(grant_is_total), ElementsAre(4, 4));
  EXPECT_THAT(grants(grants_nothing), ElementsAre(0, 0));
  EXPECT_THAT(grants(grants_unposted), ElementsAre(3, 2));
  EXPECT_THAT(grants(grants_above_target), ElementsAre(6, 1));
  Faulty full(grants_at_target, Role::responder, 4);
  for (int i = 0; i < 3; ++i) full.post(pattern(5));
  EXPECT_THAT(full.each(granted), ElementsAre(1, 1, 1));
}

TEST(FaultyEndpoint, TakesAGrantForAllThatItHas) {
  Faulty rig(grant_replaces_credits);
  rig.feed(message_of({.credits_granted = 3}));
  EXPECT_EQ(rig.endpoint->send_credits(), 3u);
}

TEST(FaultyEndpoint, AnswersOftenWhereAResponseIsRequested) {
  Faulty rig(keepalive_answered_often);
  rig.feed(message_of({.flags = flag::kResponseRequested}));
  EXPECT_EQ(rig.messages().size(), 8u);
}

TEST(FaultyEndpoint, BeginsWithWhatIsOfAnother) {
  Rig talks(Role::initiator, kOptions, {begins_with_a_message});
  talks.negotiate();
  ASSERT_GT(talks.sent.size(), 1u);
  EXPECT_EQ(decode_data_transfer(talks.sent[1].octets)->credits_granted, 0);
  Faulty rig(begins_with_fragments);
  for (int i = 0; i < 2; ++i) rig.feed(data_of(pattern(5)));
  std::vector<std::size_t> octets;
  for (const Event& one : rig.events)
    if (const auto* const received = std::get_if<Received>(&one)) octets.push_back(received->data.size());
  EXPECT_THAT(octets, ElementsAre(6u, 5u));
}

TEST(FaultyEndpoint, KeepsTheTimeOfTheNegotiationWrongly) {
  for (const Role role : {Role::initiator, Role::responder}) {
    const Instant time = seconds(role == Role::initiator ? 120 : 5);
    Rig early(role, kOptions, {negotiation_times_out_early});
    early.connect();
    EXPECT_EQ(early.endpoint->deadline(), early.now + time / 2);
    Rig late(role, kOptions, {negotiation_timer_not_stopped});
    late.negotiate();
    late.pass(time);
    EXPECT_TRUE(late.ended);
  }
}

TEST(FaultyEndpoint, LowersItsReceivesBelow128) {
  Rig rig(Role::initiator, kOptions, {receive_size_below_128});
  NegotiateResponse response = Rig::response();
  response.preferred_send_size = 100;
  rig.connect();
  rig.feed(encode(response));
  ASSERT_TRUE(rig.endpoint->send(pattern(5)));
  rig.drain();
  EXPECT_EQ(rig.receives.back(), 100u);
}

TEST(FaultyEndpoint, LeavesAPeerWithoutCredits) {
  Faulty rig(no_empty_grant, Role::responder, 4);
  for (int i = 0; i < 3; ++i) rig.feed(data_of(pattern(5), {.credits_requested = 4}));
  rig.pass(seconds(1));
  EXPECT_TRUE(rig.messages().empty());
}

TEST(FaultyEndpoint, NegotiatesOutOfOrder) {
  const auto lengths = [](Role role, Deviation deviation) {
    Rig rig(role, kOptions, {deviation});
    rig.connect();
    if (role == Role::responder) rig.feed(encode(Rig::request()));
    std::vector<std::size_t> octets;
    for (const PostSend& one : rig.sent) octets.push_back(one.octets.size());
    return octets;
  };
  EXPECT_THAT(lengths(Role::initiator, request_twice), ElementsAre(20u, 20u));
  EXPECT_THAT(lengths(Role::initiator, request_missing), ElementsAre());
  EXPECT_THAT(lengths(Role::initiator, data_before_request), ElementsAre(32u));
  EXPECT_THAT(lengths(Role::initiator, data_before_response), ElementsAre(20u, 32u));
  EXPECT_THAT(lengths(Role::responder, response_twice), ElementsAre(32u, 32u));
  EXPECT_THAT(lengths(Role::responder, response_missing), ElementsAre());
  Rig behind(Role::responder, kOptions, {response_behind_data});
  behind.feed(encode(Rig::request()));
  ASSERT_EQ(behind.sent.size(), 2u);
  EXPECT_EQ(decode_data_transfer(behind.sent[0].octets)->data_length, 8u);
  EXPECT_EQ(decode_negotiate_response(behind.sent[1].octets)->credits_granted, 10);
}

TEST(FaultyEndpoint, InvalidatesWrongly) {
  const auto tokens = [](Deviation deviation) {
    Faulty rig(deviation);
    rig.post(pattern(1500), 0x50);
    std::vector<Token> values;
    for (std::size_t i = 1; i < rig.sent.size(); ++i) values.push_back(rig.sent[i].invalidate.value_or(0));
    return values;
  };
  EXPECT_THAT(tokens(invalidates_every_segment), ElementsAre(0x50, 0x50));
  EXPECT_THAT(tokens(invalidates_nothing), ElementsAre(0, 0));
  EXPECT_THAT(tokens(invalidates_other_token), ElementsAre(0x51, 0));
}

TEST(FaultyEndpoint, SurvivesWhatShouldEndTheConnection) {
  const auto survives = [](Deviation deviation, const OctetBuffer& octets) {
    Faulty rig(deviation);
    rig.feed(octets);
    return !rig.ended;
  };
  EXPECT_TRUE(survives(accepts_short_message, OctetBuffer(19)));
  EXPECT_TRUE(survives(accepts_unaligned_data, message_of({.offset = 20, .length = 1}, pattern(8))));
  EXPECT_TRUE(survives(accepts_data_beyond, message_of({.offset = 24, .length = 9}, pattern(8))));
  EXPECT_TRUE(survives(wraps_on_receipt, message_of({.offset = 0xfffffff8, .length = 24}, pattern(8))));
  EXPECT_TRUE(survives(offset_not_checked, message_of({.offset = 48, .length = 8}, pattern(20))));
  EXPECT_TRUE(survives(accepts_too_much_announced, data_of(pattern(8), {.remaining = 1'048'576})));
  EXPECT_TRUE(survives(accepts_no_credits, data_of(pattern(8), {.credits_requested = 0})));
  EXPECT_TRUE(survives(accepts_long_message, data_of(pattern(1010))));
  EXPECT_TRUE(survives(ignores_bad_messages, data_of(pattern(8), {.credits_requested = 0})));
  EXPECT_TRUE(survives(hangs_on_bad_message, OctetBuffer(19)));
}

TEST(FaultyEndpoint, HangsForGood) {
  Faulty rig(hangs_on_bad_message);
  rig.feed(OctetBuffer(19));
  rig.feed(message_of({.flags = flag::kResponseRequested}));
  rig.pass(seconds(300));
  EXPECT_TRUE(rig.messages().empty());
  EXPECT_FALSE(rig.ended);
  EXPECT_EQ(rig.endpoint->deadline(), std::nullopt);
}

}  // namespace
}  // namespace wirelaw::smbd
