// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/client.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"
#include "reference/ramcloud/test_packets.h"

namespace wirelaw::ramcloud {
namespace {

using namespace std::chrono_literals;
using Reason = CallError::Reason;

constexpr Flags kFromServer{.direction = true};
constexpr Flags kAskFromServer{.direction = true, .request_ack = true};

class ClientTest : public testing::Test {
 protected:
  std::vector<SentPacket> call(OctetBuffer request, Instant now = 0s) {
    client_.call(std::move(request), now);
    return fetch(client_);
  }
  std::vector<SentPacket> receive(const OctetBuffer& octets, Instant now = 0s) {
    client_.receive(octets, now);
    return fetch(client_);
  }
  std::vector<SentPacket> advance(Instant now) {
    client_.advance(now);
    return fetch(client_);
  }
  // Answers the open request at the beginning of `opening`.
  std::vector<SentPacket> open(const std::vector<SentPacket>& opening, Octet announced = 7, Instant now = 0s) {
    session_ = opening.at(0).header;
    session_.session_token = 0x1122334455667788 + ++sessions_;
    session_.server_session_hint = 0x99;
    session_.flags = kFromServer;
    return receive(encode(session_, OctetBuffer{announced}), now);
  }
  OctetBuffer bad_session() {
    Header header = session_;
    header.payload_type = PayloadType::bad_session;
    return encode(header);
  }
  OctetBuffer response(std::uint8_t channel, std::uint32_t rpc, std::uint16_t number = 0, std::uint16_t total = 1,
                       Flags flags = kFromServer) {
    return data(session_, channel, rpc, number, total, OctetBuffer{Octet(number)}, flags);
  }
  std::optional<CallResult> next() {
    CallResult result;
    return client_.next_result(result) ? std::optional(result) : std::nullopt;
  }

  Client client_{Options{}, 1, 77};
  Header session_;
  unsigned sessions_ = 0;
};

TEST_F(ClientTest, OpensItsSessionWithTheFirstCall) {
  EXPECT_EQ(client_.deadline(), std::nullopt);
  client_.call({1}, 0s);
  Outgoing out;
  ASSERT_TRUE(client_.next_datagram(out));
  EXPECT_EQ(out.to, 77u);
  const std::string octets = to_hex(out.octets);
  EXPECT_EQ(octets.substr(0, 24),
            "cccccccccccccccc"
            "00000000");
  EXPECT_EQ(octets.substr(32),
            "cccccccc"
            "0000"
            "0000"
            "00"
            "20");
  EXPECT_TRUE(call({2}).empty());
}

TEST_F(ClientTest, SendsTheCallsOnParallelChannelsOnceItIsOpen) {
  const auto opening = call({1});
  call({2});
  const auto sent = open(opening);
  ASSERT_EQ(sent.size(), 2u);
  for (std::uint8_t channel = 0; channel < 2; ++channel) {
    const Header& header = sent[channel].header;
    EXPECT_EQ(header.session_token, session_.session_token);
    EXPECT_EQ(header.client_session_hint, opening[0].header.client_session_hint);
    EXPECT_EQ(header.server_session_hint, 0x99u);
    EXPECT_EQ(header.channel_id, channel);
    EXPECT_EQ(header.rpc_id, 0u);
    EXPECT_EQ(header.total_frags, 1);
    EXPECT_EQ(header.flags, Flags{});
  }
}

TEST_F(ClientTest, UsesOnlyChannelsThatBothReadingsAllow) {
  const std::pair<Octet, std::size_t> cases[] = {{0, 1}, {1, 1}, {2, 2}, {7, 7}, {8, 8}, {255, 8}};
  for (const auto& [announced, channels] : cases) {
    Client client({}, 1);
    for (unsigned i = 0; i < 12; ++i) client.call({}, 0s);
    Header header = fetch(client).at(0).header;
    header.flags = kFromServer;
    client.receive(encode(header, OctetBuffer{announced}), 0s);
    EXPECT_EQ(fetch(client).size(), channels) << unsigned{announced};
  }
}

TEST_F(ClientTest, QueuesCallsAndCountsRpcIdsPerChannel) {
  const auto opening = call({1});
  call({2});
  open(opening, 1);
  const auto second = receive(response(0, 0));
  EXPECT_EQ(next()->response.value(), OctetBuffer{0});
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].header.channel_id, 0);
  EXPECT_EQ(second[0].header.rpc_id, 1u);
}

TEST_F(ClientTest, IgnoresPacketsThatAreNotForItsRpc) {
  open(call({1}));
  EXPECT_TRUE(receive(response(0, 1)).empty());
  EXPECT_TRUE(receive(response(1, 0)).empty());
  EXPECT_TRUE(receive(response(0, 0, 0, 1, {})).empty());
  EXPECT_TRUE(receive(response(0, 0, 0, 1, {.direction = true, .please_drop = true})).empty());
  EXPECT_TRUE(receive(response(0, 0, 0, 0)).empty());
  EXPECT_TRUE(receive(response(0, 0, 1, 1)).empty());
  EXPECT_TRUE(receive(OctetBuffer(25)).empty());
  Header header = session_;
  header.session_token ^= 1;
  receive(data(header, 0, 0, 0, 1, {}, kFromServer));
  header = session_;
  header.client_session_hint ^= 1;
  receive(data(header, 0, 0, 0, 1, {}, kFromServer));
  header = session_;
  header.payload_type = PayloadType{3};
  receive(encode(header));
  EXPECT_FALSE(next());
  receive(response(0, 0, 0, 1, {.direction = true, .reserved1 = true}));
  EXPECT_TRUE(next());
}

TEST_F(ClientTest, IgnoresLateOpenResponsesAndEmptyOnes) {
  const auto opening = call({1});
  Header header = opening[0].header;
  header.flags = kFromServer;
  EXPECT_TRUE(receive(encode(header)).empty());
  EXPECT_FALSE(client_.connected());
  open(opening);
  EXPECT_TRUE(client_.connected());
  header.session_token = 5;
  EXPECT_TRUE(receive(encode(header, OctetBuffer{7})).empty());
  receive(response(0, 0));
  EXPECT_TRUE(next());
}

TEST_F(ClientTest, RepeatsAnOpenRequestFiveTimesInAll) {
  call({1});
  call({2});
  for (const Instant due : {100ms, 200ms, 300ms, 400ms}) {
    EXPECT_EQ(client_.deadline(), due);
    EXPECT_TRUE(advance(due - 1ns).empty());
    EXPECT_EQ(advance(due).size(), 1u);
  }
  EXPECT_TRUE(advance(500ms).empty());
  for (CallId id = 0; id < 2; ++id) {
    const auto result = next();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->id, id);
    EXPECT_EQ(result->response.error().reason, Reason::session_unanswered);
    EXPECT_EQ(result->response.error().text, "no answer to 5 session open requests; gave up");
  }
  EXPECT_EQ(client_.deadline(), std::nullopt);
  EXPECT_TRUE(call({3}, 1s).at(0).is(PayloadType::session_open));
}

TEST_F(ClientTest, RepeatsARequestFiveTimesAndGivesUp) {
  open(call({1}));
  for (const Instant due : {100ms, 200ms, 300ms, 400ms, 500ms}) {
    const auto again = advance(due);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].header.flags, (Flags{.request_ack = true}));
    EXPECT_EQ(again[0].payload, OctetBuffer{1});
  }
  EXPECT_FALSE(next());
  EXPECT_TRUE(advance(600ms).empty());
  EXPECT_EQ(next()->response.error().reason, Reason::unanswered);
  EXPECT_EQ(call({2}, 1s).at(0).header.channel_id, 1) << "channel 0 may be out of step with the server";
}

TEST_F(ClientTest, OpensANewSessionWhenNoChannelIsLeft) {
  open(call({1}), 1);
  for (unsigned i = 1; i <= 6; ++i) advance(i * 100ms);
  EXPECT_TRUE(next());
  const auto opening = call({2}, 1s);
  ASSERT_EQ(opening.size(), 1u);
  EXPECT_TRUE(opening[0].is(PayloadType::session_open));
  EXPECT_NE(opening[0].header.client_session_hint, session_.client_session_hint);
  EXPECT_EQ(open(opening, 7, 1s).at(0).header.rpc_id, 0u);
}

TEST_F(ClientTest, ResendsOnlyTheFragmentsThatAreMissing) {
  open(call(OctetBuffer(5 * 1374)));
  const auto resent = receive(ack(session_, 0, 0, {1, 0b10}, kFromServer), 10ms);
  ASSERT_EQ(resent.size(), 2u);
  EXPECT_EQ(resent[0].header.frag_number, 1);
  EXPECT_EQ(resent[1].header.frag_number, 2);
  EXPECT_TRUE(resent[0].header.flags.request_ack);
  const auto late = advance(110ms);
  ASSERT_EQ(late.size(), 3u);
  EXPECT_EQ(late[2].header.frag_number, 4);
}

TEST_F(ClientTest, ProbesWithItsLastFragmentWhileTheServerExecutes) {
  open(call(OctetBuffer(3 * 1374)));
  receive(ack(session_, 0, 0, {.first_missing_frag = 3}, kFromServer));
  for (unsigned i = 1; i <= 20; ++i) {
    const auto probe = advance(i * 100ms);
    ASSERT_EQ(probe.size(), 1u);
    EXPECT_EQ(probe[0].header.frag_number, 2);
    receive(ack(session_, 0, 0, {.first_missing_frag = 3}, kFromServer), i * 100ms);
  }
  EXPECT_FALSE(next()) << "a server that answers is alive";
}

TEST_F(ClientTest, AsksForTheRestOfAResponse) {
  open(call({1}));
  receive(response(0, 0, 2, 3));
  EXPECT_TRUE(advance(100ms).empty());
  for (const Instant due : {200ms, 300ms, 400ms, 500ms}) {
    const auto asked = advance(due);
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0].header.flags, Flags{});
    EXPECT_EQ(asked[0].ack(), (Ack{0, 0b10}));
  }
  EXPECT_TRUE(advance(600ms).empty());
  EXPECT_EQ(next()->response.error().reason, Reason::unanswered);
}

TEST_F(ClientTest, AcknowledgesWhenAskedAlsoAfterTheResponseIsComplete) {
  open(call({1}));
  EXPECT_EQ(receive(response(0, 0, 1, 2, kAskFromServer)).at(0).ack(), (Ack{0, 1}));
  EXPECT_EQ(receive(response(0, 0, 0, 2, kAskFromServer)).at(0).ack(), (Ack{2, 0}));
  EXPECT_EQ(next()->response.value(), (OctetBuffer{0, 1}));
  EXPECT_EQ(receive(response(0, 0, 0, 2, kAskFromServer)).at(0).ack(), (Ack{2, 0}));
  EXPECT_TRUE(receive(response(0, 0, 0, 3, kAskFromServer)).empty());
  EXPECT_FALSE(next());
  call({2});
  EXPECT_TRUE(receive(response(0, 0, 0, 2, kAskFromServer)).empty());
}

TEST_F(ClientTest, StopsSendingItsRequestWithTheFirstFragmentOfTheResponse) {
  open(call(OctetBuffer(20 * 1374)));
  EXPECT_TRUE(receive(response(0, 0, 0, 2)).empty());
  EXPECT_TRUE(receive(ack(session_, 0, 0, {.first_missing_frag = 5}, kFromServer)).empty());
  EXPECT_TRUE(advance(100ms).empty());
}

TEST_F(ClientTest, OpensAnotherSessionAndStartsItsCallsAnew) {
  const auto opening = call({1});
  call({2});
  open(opening);
  receive(response(0, 0));
  EXPECT_EQ(next()->id, 0u);
  call({3});
  const auto reopening = receive(bad_session());
  ASSERT_EQ(reopening.size(), 1u);
  EXPECT_TRUE(reopening[0].is(PayloadType::session_open));
  const auto again = open(reopening);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].payload, OctetBuffer{2});
  EXPECT_EQ(again[1].payload, OctetBuffer{3});
  EXPECT_EQ(again[0].header.rpc_id, 0u);
}

TEST_F(ClientTest, IgnoresBadSessionThatIsNotAboutItsSession) {
  open(call({1}));
  session_.session_token ^= 1;
  EXPECT_TRUE(receive(bad_session()).empty());
  session_.session_token ^= 1;
  session_.client_session_hint ^= 1;
  EXPECT_TRUE(receive(bad_session()).empty());
}

TEST_F(ClientTest, OpensNoSessionForNothing) {
  open(call({1}));
  receive(response(0, 0));
  EXPECT_TRUE(receive(bad_session()).empty());
  EXPECT_TRUE(call({2}).at(0).is(PayloadType::session_open));
}

TEST_F(ClientTest, EndsTheLoopOfBadSessions) {
  auto opening = call({1});
  for (unsigned i = 0; i < 5; ++i) {
    open(opening);
    opening = receive(bad_session());
    ASSERT_EQ(opening.size(), 1u);
  }
  open(opening);
  EXPECT_TRUE(receive(bad_session()).empty());
  const auto result = next();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->response.error().reason, Reason::session_refused);
  EXPECT_EQ(result->response.error().text, "the server called 6 sessions invalid in a row; gave up");
}

TEST_F(ClientTest, RefusesARequestThatTotalFragsCannotCount) {
  Options tiny;
  tiny.fragment_octets = 1;
  Client client(tiny, 1);
  client.call(OctetBuffer(65536), 0s);
  CallResult result;
  ASSERT_TRUE(client.next_result(result));
  EXPECT_EQ(result.response.error().reason, Reason::request_too_long);
  EXPECT_TRUE(fetch(client).empty());
}

TEST_F(ClientTest, DoesOneResendAfterALongPause) {
  open(call({1}));
  EXPECT_EQ(advance(1h).size(), 1u);
  EXPECT_EQ(client_.deadline(), 1h + 100ms);
}

}  // namespace
}  // namespace wirelaw::ramcloud
