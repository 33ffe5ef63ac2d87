// SPDX-License-Identifier: Apache-2.0
// Sections 3.1.4.1, 3.1.5.2, 3.1.5.3, 3.1.5.6, 3.1.5.7, 3.1.6.1 and 3.1.7.2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "reference/smbd/test_endpoint.h"

namespace wirelaw::smbd {
namespace {

const Options kSmall{.receive_credit_max = 10,
                     .send_credit_target = 10,
                     .max_send_size = 1024,
                     .max_receive_size = 1024,
                     .max_fragmented_recv_size = 131'072,
                     .max_read_write_size = 1'048'576};

// ---------------------------------------------------------------------------------------------------------- initiator

TEST(Initiator, PostsAReceiveAndSendsTheRequestOfTheExampleOnceConnected) {
  Rig rig(Role::initiator, kSmall);
  EXPECT_THAT(rig.receives, testing::ElementsAre(512u));
  EXPECT_TRUE(rig.sent.empty());
  rig.connect();
  ASSERT_EQ(rig.sent.size(), 1u);
  EXPECT_EQ(to_hex(rig.sent[0].octets), "0001000100000a00000400000004000000000200");
  rig.connect();
  EXPECT_EQ(rig.sent.size(), 1u) << "exactly once";
}

TEST(Initiator, TakesOverWhatTheResponseSays) {
  Rig rig(Role::initiator, {});
  rig.connect();
  NegotiateResponse response = Rig::response(7, 700);
  response.preferred_send_size = 600;
  rig.feed(encode(response));
  ASSERT_EQ(rig.all<Established>().size(), 1u);
  const Parameters parameters = rig.all<Established>()[0].parameters;
  EXPECT_EQ(parameters.max_send_size, 700u);
  EXPECT_EQ(parameters.max_receive_size, 600u);
  EXPECT_EQ(parameters.max_fragmented_send_size, 131'072u);
  EXPECT_EQ(parameters.max_read_write_size, 1'048'576u) << "the smaller one";
  EXPECT_EQ(parameters.keepalive_interval, seconds(120));
  EXPECT_EQ(rig.endpoint->send_credits(), 7u);
  EXPECT_EQ(rig.receives.size(), 1u + 7u);
  EXPECT_EQ(rig.receives.back(), 600u);
}

TEST(Initiator, KeepsAReceiveSizeOfAtLeast128) {
  Rig rig(Role::initiator, {});
  rig.connect();
  NegotiateResponse response = Rig::response();
  response.preferred_send_size = 100;
  rig.feed(encode(response));
  EXPECT_EQ(rig.endpoint->parameters().max_receive_size, 128u);
}

TEST(Initiator, AcceptsOctetsBehindTheResponse) {
  Rig rig(Role::initiator, {});
  rig.connect();
  OctetBuffer octets = encode(Rig::response());
  octets.resize(512, 0xee);
  rig.feed(octets);
  EXPECT_EQ(rig.endpoint->phase(), Phase::established);
}

struct BadResponse {
  Reason reason;
  std::function<void(NegotiateResponse&)> change;
};

TEST(Initiator, EndsTheConnectionOnAResponseThatIsNotRight) {
  const BadResponse kBad[] = {
      {Reason::wrong_version, [](auto& one) { one.negotiated_version = 0x0200; }},
      {Reason::receive_size_too_small, [](auto& one) { one.max_receive_size = 127; }},
      {Reason::fragmented_size_too_small, [](auto& one) { one.max_fragmented_size = 131'071; }},
      {Reason::no_credits_granted, [](auto& one) { one.credits_granted = 0; }},
      {Reason::no_credits_requested, [](auto& one) { one.credits_requested = 0; }},
      {Reason::preferred_send_size_too_large, [](auto& one) { one.preferred_send_size = 8193; }},
      {Reason::negotiation_failed, [](auto& one) { one = {.status = status::kNotSupported}; }},
  };
  for (const BadResponse& bad : kBad) {
    Rig rig(Role::initiator, {});
    rig.connect();
    NegotiateResponse response = Rig::response();
    bad.change(response);
    rig.feed(encode(response));
    EXPECT_EQ(rig.reason(), bad.reason);
    EXPECT_EQ(rig.all<Terminated>()[0].status, response.status);
    EXPECT_TRUE(rig.ended);
    EXPECT_EQ(rig.sent.size(), 1u) << "only the request";
    EXPECT_EQ(rig.endpoint->deadline(), std::nullopt);
  }
}

TEST(Initiator, EndsTheConnectionOnAShortResponse) {
  for (const std::size_t length : {0u, 20u, 31u}) {
    Rig rig(Role::initiator, {});
    rig.connect();
    OctetBuffer octets = encode(Rig::response());
    octets.resize(length);
    rig.feed(octets);
    EXPECT_EQ(rig.reason(), Reason::response_too_short) << length;
  }
}

TEST(Initiator, WaitsForAResponse120Seconds) {
  Rig rig(Role::initiator, {});
  rig.connect();
  EXPECT_EQ(rig.endpoint->deadline(), seconds(120));
  rig.pass(seconds(120) - milliseconds(1));
  EXPECT_FALSE(rig.ended);
  rig.pass(milliseconds(1));
  EXPECT_EQ(rig.reason(), Reason::negotiation_timeout);
}

TEST(Initiator, SendsNoMessageBeforeTheResponse) {
  Rig rig(Role::initiator, {});
  rig.connect();
  EXPECT_EQ(rig.endpoint->send(pattern(5)).error(), SendError::not_established);
  EXPECT_EQ(rig.sent.size(), 1u);
}

// ----------------------------------------------------------------------------------------------------------- listener

TEST(Listener, AnswersTheExampleWithTheResponseOfTheExample) {
  Rig rig(Role::responder, kSmall);
  EXPECT_THAT(rig.receives, testing::ElementsAre(512u));
  rig.feed(encode(Rig::request()));
  ASSERT_EQ(rig.sent.size(), 1u);
  EXPECT_EQ(to_hex(rig.sent[0].octets),
            "0001000100010000"
            "0a000a0000000000"
            "0000100000040000"
            "0004000000000200");
  EXPECT_EQ(rig.receives.size(), 11u) << "the receives that are granted";
  EXPECT_EQ(rig.all<Established>().size(), 1u);
}

TEST(Listener, NeedsNoWordOfTheConnectionToTakeARequest) {
  Rig rig(Role::responder, kSmall);
  rig.feed(encode(Rig::request()));
  rig.connect();
  EXPECT_EQ(rig.sent.size(), 1u);
  EXPECT_EQ(rig.endpoint->phase(), Phase::established);
}

TEST(Listener, LowersItsSizesToTheRequest) {
  Rig rig(Role::responder, {});
  NegotiateRequest request = Rig::request(300, 512);
  request.preferred_send_size = 800;
  rig.feed(encode(request));
  const auto response = decode_negotiate_response(rig.sent[0].octets);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->max_receive_size, 800u);
  EXPECT_EQ(response->preferred_send_size, 512u);
  EXPECT_EQ(response->credits_granted, 255u) << "no more than its own limit";
}

TEST(Listener, KeepsAReceiveSizeOfAtLeast128) {
  for (const std::uint32_t preferred : {0u, 23u, 127u}) {
    Rig rig(Role::responder, {});
    NegotiateRequest request = Rig::request();
    request.preferred_send_size = preferred;
    rig.feed(encode(request));
    const auto response = decode_negotiate_response(rig.sent[0].octets);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->max_receive_size, 128u);
  }
}

TEST(Listener, AcceptsEveryRangeOfVersionsThatIncludesItsOwn) {
  for (const auto& [least, most] : {std::pair{0x0000, 0x0100}, {0x0100, 0xffff}, {0x00ff, 0x0101}}) {
    Rig rig(Role::responder, {});
    NegotiateRequest request = Rig::request();
    request.min_version = static_cast<std::uint16_t>(least);
    request.max_version = static_cast<std::uint16_t>(most);
    rig.feed(encode(request));
    EXPECT_EQ(rig.endpoint->phase(), Phase::established) << least;
  }
}

TEST(Listener, AnswersAnotherVersionWithAFailureOfZeros) {
  for (const auto& [least, most] : {std::pair{0x0101, 0xffff}, {0x0000, 0x00ff}, {0x0200, 0x0100}}) {
    Rig rig(Role::responder, {});
    NegotiateRequest request = Rig::request();
    request.min_version = static_cast<std::uint16_t>(least);
    request.max_version = static_cast<std::uint16_t>(most);
    request.credits_requested = 0;  // the version is checked first
    rig.feed(encode(request));
    ASSERT_EQ(rig.sent.size(), 1u);
    EXPECT_EQ(to_hex(rig.sent[0].octets),
              "0001000100000000"
              "00000000bb0000c0"
              "0000000000000000"
              "0000000000000000");
    ASSERT_TRUE(rig.ended);
    EXPECT_FALSE(rig.ended->abortive) << "the response is still to go";
    EXPECT_EQ(rig.reason(), Reason::version_not_supported);
  }
}

TEST(Listener, EndsTheConnectionWithoutAnAnswerOnARequestThatIsNotRight) {
  NegotiateRequest credits = Rig::request(), receive = credits, fragmented = credits;
  credits.credits_requested = 0;
  receive.max_receive_size = 127;
  fragmented.max_fragmented_size = 131'071;
  for (const auto& [request, reason] : {std::pair{credits, Reason::no_credits_requested},
                                        {receive, Reason::receive_size_too_small},
                                        {fragmented, Reason::fragmented_size_too_small}}) {
    Rig rig(Role::responder, {});
    rig.feed(encode(request));
    EXPECT_EQ(rig.reason(), reason);
    EXPECT_TRUE(rig.sent.empty());
    EXPECT_TRUE(rig.ended);
  }
}

TEST(Listener, EndsTheConnectionOnAShortOrALongRequest) {
  OctetBuffer octets = encode(Rig::request());
  octets.resize(19);
  Rig brief(Role::responder, {});
  brief.feed(octets);
  EXPECT_EQ(brief.reason(), Reason::request_too_short);
  EXPECT_TRUE(brief.sent.empty());

  octets = encode(Rig::request());
  octets.resize(512);
  Rig full(Role::responder, {});
  full.feed(octets);
  EXPECT_EQ(full.endpoint->phase(), Phase::established);
  octets.resize(513);
  Rig excessive(Role::responder, {});
  excessive.feed(octets);
  EXPECT_EQ(excessive.reason(), Reason::message_longer_than_receive);
}

TEST(Listener, SaysThatItHasNoReceives) {
  Rig rig(Role::responder, {.receive_octets = 100});
  rig.feed(encode(Rig::request()));
  const auto response = decode_negotiate_response(rig.sent[0].octets);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, status::kInsufficientResources);
  EXPECT_EQ(response->credits_granted, 0);
  EXPECT_EQ(rig.reason(), Reason::no_receives);
}

TEST(Listener, WaitsForARequest5Seconds) {
  Rig rig(Role::responder, {});
  rig.pass(seconds(5) - milliseconds(1));
  EXPECT_FALSE(rig.ended);
  rig.pass(milliseconds(1));
  EXPECT_EQ(rig.reason(), Reason::negotiation_timeout);
  rig.feed(encode(Rig::request()));
  EXPECT_TRUE(rig.sent.empty()) << "too late";
}

TEST(Listener, SendsNothingBeforeItHasACredit) {
  Rig rig(Role::responder, kSmall);
  rig.negotiate();
  ASSERT_TRUE(rig.endpoint->send(pattern(5)));
  rig.drain();
  EXPECT_EQ(rig.sent.size(), 1u) << "the response";
  rig.feed(message_of({.credits_granted = 2}));
  const auto messages = [&] {
    rig.looked = 1;
    return rig.messages();
  }();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].data_length, 5u);
}

TEST(Endpoint, ReportsTheLossOfTheConnectionOnce) {
  Rig rig(Role::responder, {});
  rig.endpoint->disconnected(rig.now);
  rig.endpoint->disconnected(rig.now);
  rig.drain();
  EXPECT_EQ(rig.all<Disconnected>().size(), 1u);
  EXPECT_FALSE(rig.ended) << "there is nothing to disconnect";
  EXPECT_EQ(rig.endpoint->deadline(), std::nullopt);
}

}  // namespace
}  // namespace wirelaw::smbd
