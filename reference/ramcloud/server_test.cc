// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/server.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"
#include "reference/ramcloud/test_packets.h"

namespace wirelaw::ramcloud {
namespace {

using namespace std::chrono_literals;

constexpr PeerId kPeer = 5;
constexpr Flags kAsk{.request_ack = true};

class ServerTest : public testing::Test {
 protected:
  ServerTest() { session_ = open(0x11223344); }

  Header open(std::uint32_t client_hint, Instant now = 0s) {
    const auto answers = send(open_request(client_hint), now);
    return answers.empty() ? Header{} : answers.front().header;
  }
  std::vector<SentPacket> send(const OctetBuffer& octets, Instant now = 0s) {
    server_.receive(kPeer, octets, now);
    return fetch(server_);
  }
  std::vector<SentPacket> send_data(std::uint8_t channel, std::uint32_t rpc, std::uint16_t number = 0,
                                    std::uint16_t total = 1, Flags flags = {}, Instant now = 0s) {
    return send(data(session_, channel, rpc, number, total, OctetBuffer{Octet(number)}, flags), now);
  }
  std::vector<SentPacket> send_ack(std::uint8_t channel, std::uint32_t rpc, const Ack& what, Instant now = 0s) {
    return send(ack(session_, channel, rpc, what), now);
  }
  std::optional<Request> next() {
    Request request;
    return server_.next_request(request) ? std::optional(request) : std::nullopt;
  }
  // Returns the DATA packets that answer the next request.
  std::vector<SentPacket> answer(std::size_t octets, Instant now = 0s) {
    const std::optional<Request> request = next();
    EXPECT_TRUE(request);
    EXPECT_TRUE(request && server_.respond(request->handle, OctetBuffer(octets, 0xab), now));
    return fetch(server_);
  }

  static Options options() {
    Options options;
    options.max_sessions = 4;
    options.max_message_octets = 100'000;
    options.reassembly_octets = 200'000;
    return options;
  }
  Server server_{options(), 1};
  Header session_;
};

std::vector<unsigned> numbers(const std::vector<SentPacket>& packets) {
  std::vector<unsigned> all;
  for (const SentPacket& packet : packets)
    if (packet.is(PayloadType::data)) all.push_back(packet.header.frag_number);
  return all;
}
using Numbers = std::vector<unsigned>;

TEST_F(ServerTest, AnswersAnOpenRequest) {
  server_.receive(9, open_request(0x0a0b0c0d), 0s);
  Outgoing out;
  ASSERT_TRUE(server_.next_datagram(out));
  EXPECT_EQ(out.to, 9u);
  EXPECT_EQ(to_hex(out.octets).substr(16),
            "00000000"
            "0d0c0b0a"
            "01000000"
            "00000000"
            "00"
            "21"
            "07");
}

TEST_F(ServerTest, AnnouncesACountWhereTheOptionsAskForIt) {
  Options late;
  late.announces = OpenReading::count;
  Server server(late, 1);
  server.receive(kPeer, open_request(1), 0s);
  EXPECT_EQ(fetch(server).front().payload, OctetBuffer{8});
}

TEST_F(ServerTest, GivesEveryOpenRequestItsOwnSession) {
  const Header other = open(0x11223344);
  EXPECT_NE(other.session_token, session_.session_token);
  EXPECT_NE(other.server_session_hint, session_.server_session_hint);
}

TEST_F(ServerTest, ExecutesARequestAndAnswersOnItsChannel) {
  EXPECT_TRUE(send_data(3, 0).empty());
  const auto answers = answer(2);
  ASSERT_EQ(answers.size(), 1u);
  const Header& header = answers[0].header;
  EXPECT_EQ(header.session_token, session_.session_token);
  EXPECT_EQ(header.client_session_hint, 0x11223344u);
  EXPECT_EQ(header.channel_id, 3);
  EXPECT_EQ(header.rpc_id, 0u);
  EXPECT_EQ(header.total_frags, 1);
  EXPECT_EQ(header.flags, (Flags{.direction = true}));
  EXPECT_FALSE(next());
}

TEST_F(ServerTest, ResendsTheStoredResponseAndExecutesOnce) {
  send_data(0, 0);
  answer(1);
  EXPECT_EQ(numbers(send_data(0, 0)), Numbers{0});
  EXPECT_FALSE(next());
}

TEST_F(ServerTest, KeepsAResponseForEveryChannel) {
  for (std::uint8_t channel = 0; channel < 8; ++channel) {
    send_data(channel, 0);
    answer(1);
  }
  for (std::uint8_t channel = 0; channel < 8; ++channel) EXPECT_EQ(numbers(send_data(channel, 0)), Numbers{0});
}

TEST_F(ServerTest, TakesOnlyTheCurrentRpcAndTheNext) {
  EXPECT_TRUE(send_data(0, 1).empty());
  EXPECT_TRUE(send_data(0, 0xffffffff).empty());
  EXPECT_FALSE(next());
  send_data(0, 0);
  answer(1);
  send_data(0, 2, 0, 1, kAsk);
  EXPECT_FALSE(next());
  send_data(0, 1);
  answer(1);
  EXPECT_TRUE(send_data(0, 0, 0, 1, kAsk).empty());
  EXPECT_FALSE(next());
}

TEST_F(ServerTest, IgnoresAHandleWhoseRpcHasGone) {
  send_data(0, 0);
  const auto first = next();
  send_data(0, 1);
  EXPECT_FALSE(server_.respond(first->handle, {}, 0s));
  const auto second = next();
  EXPECT_TRUE(server_.respond(second->handle, {}, 0s));
  EXPECT_FALSE(server_.respond(second->handle, {}, 0s));
  EXPECT_FALSE(server_.respond({.session = 99}, {}, 0s));
}

TEST_F(ServerTest, HandsUpOnlyTheLastOfRpcsThatNobodyFetched) {
  for (std::uint32_t rpc = 0; rpc < 100; ++rpc) send_data(0, rpc);
  EXPECT_TRUE(next());
  EXPECT_FALSE(next());
}

TEST_F(ServerTest, AcknowledgesWhatItHasWhenAsked) {
  EXPECT_TRUE(send_data(0, 0, 2, 4).empty());
  const auto partial = send_data(0, 0, 0, 4, kAsk);
  ASSERT_EQ(partial.size(), 1u);
  EXPECT_TRUE(partial[0].is(PayloadType::ack));
  EXPECT_EQ(to_hex(partial[0].payload), "010001000000");
  EXPECT_EQ(partial[0].header.flags, (Flags{.direction = true}));
  send_data(0, 0, 1, 4);
  const auto full = send_data(0, 0, 3, 4, kAsk);
  ASSERT_EQ(full.size(), 1u);
  EXPECT_EQ(full[0].ack(), (Ack{.first_missing_frag = 4}));
  EXPECT_EQ(next()->payload, (OctetBuffer{0, 1, 2, 3}));
  EXPECT_EQ(send_data(0, 0, 1, 4, kAsk).at(0).ack(), (Ack{.first_missing_frag = 4})) << "still executing";
}

TEST_F(ServerTest, AcknowledgesARepeatWhenItsResponseHasBeenAcknowledged) {
  send_data(0, 0);
  answer(1);
  EXPECT_TRUE(send_ack(0, 0, {.first_missing_frag = 1}).empty());
  EXPECT_EQ(send_data(0, 0, 0, 1, kAsk).at(0).ack(), (Ack{.first_missing_frag = 1}));
}

TEST_F(ServerTest, SendsItsResponseInAWindowAndResendsOnlyWhatIsMissing) {
  send_data(0, 0);
  EXPECT_EQ(answer(20 * 1374).size(), 10u);
  EXPECT_EQ(numbers(send_ack(0, 0, {2, 0b101})), (Numbers{2, 4, 10, 11, 12, 13}));
  EXPECT_EQ(numbers(send_ack(0, 0, {.first_missing_frag = 10}, 200ms)),
            (Numbers{10, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
}

TEST_F(ServerTest, ResendsTheStartOfALongResponseForARepeatedRequest) {
  send_data(0, 0);
  answer(3 * 1374);
  EXPECT_EQ(numbers(send_data(0, 0)), Numbers{0});
  EXPECT_EQ(numbers(send_data(0, 0, 0, 1, {}, 1s)), (Numbers{0, 1, 2}));
}

TEST_F(ServerTest, IgnoresAcksThatFitNothing) {
  EXPECT_TRUE(send_ack(0, 0, {}).empty());
  send_data(0, 0);
  answer(3 * 1374);
  EXPECT_TRUE(send_ack(0, 1, {}).empty());
  EXPECT_TRUE(send_ack(0, 0, {.first_missing_frag = 4}).empty());
  EXPECT_TRUE(send_ack(9, 0, {}).empty());
  OctetBuffer cut = ack(session_, 0, 0, {});
  cut.pop_back();
  EXPECT_TRUE(send(cut).empty());
}

TEST_F(ServerTest, CallsUnknownSessionsBadAndCopiesTheOffendingPacket) {
  Header wrong = session_;
  wrong.session_token ^= 1;
  wrong.client_session_hint = 0x55;
  for (const PayloadType type : {PayloadType::data, PayloadType::ack, PayloadType::bad_session, PayloadType{9}}) {
    wrong.payload_type = type;
    wrong.channel_id = 3;
    wrong.rpc_id = 77;
    wrong.flags = kAsk;
    const auto answers = send(encode(wrong));
    ASSERT_EQ(answers.size(), 1u);
    Header expected = wrong;
    expected.payload_type = PayloadType::bad_session;
    expected.frag_number = expected.total_frags = 0;
    expected.flags = {.direction = true};
    EXPECT_EQ(answers[0].header, expected);
    EXPECT_TRUE(answers[0].payload.empty());
  }
  wrong = session_;
  wrong.server_session_hint = 99;
  EXPECT_TRUE(send(data(wrong, 0, 0, 0, 1, {})).at(0).is(PayloadType::bad_session));
  EXPECT_FALSE(next());
}

TEST_F(ServerTest, DropsWhatItMustNotLookAt) {
  const OctetBuffer whole = data(session_, 0, 0, 0, 1, {}, {.request_ack = true, .please_drop = true});
  EXPECT_TRUE(send(whole).empty());
  EXPECT_TRUE(send(open_request(1, {.please_drop = true})).empty());
  EXPECT_TRUE(send(data(session_, 0, 0, 0, 1, {}, {.direction = true, .request_ack = true})).empty());
  EXPECT_TRUE(send(OctetBuffer(25)).empty());
  EXPECT_TRUE(send({}).empty());
  EXPECT_TRUE(send(data(session_, 8, 0, 0, 1, {}, kAsk)).empty());
  EXPECT_TRUE(send(data(session_, 0, 0, 0, 0, {}, kAsk)).empty());
  EXPECT_TRUE(send(data(session_, 0, 0, 1, 1, {}, kAsk)).empty());
  for (const PayloadType type :
       {PayloadType::session_open, PayloadType::bad_session, PayloadType{3}, PayloadType{15}}) {
    Header header = session_;
    header.payload_type = type;
    header.flags = {};
    EXPECT_TRUE(send(encode(header)).empty());
  }
  EXPECT_FALSE(next());
  EXPECT_EQ(server_.sessions(), 1u);
}

TEST_F(ServerTest, ReadsOverReserved1) {
  send_data(0, 0, 0, 1, {.reserved1 = true});
  EXPECT_TRUE(next());
}

TEST_F(ServerTest, ForgetsAnIdleSessionWhenAnotherOpens) {
  EXPECT_EQ(server_.deadline(), std::nullopt);
  server_.advance(11s);
  send_data(0, 0, 0, 1, {}, 11s);
  EXPECT_TRUE(next()) << "nobody has opened another session";
  const Header second = open(2, 22s);
  EXPECT_EQ(second.server_session_hint, session_.server_session_hint);
  EXPECT_TRUE(send_data(0, 0, 0, 1, {}, 22s).at(0).is(PayloadType::bad_session));
}

TEST_F(ServerTest, IgnoresTheHandleOfAForgottenSession) {
  send_data(0, 0);
  const auto request = next();
  open(2, 22s);
  EXPECT_FALSE(server_.respond(request->handle, {}, 22s));
  send_data(1, 0);
  EXPECT_FALSE(next());
}

// A client that has made a request is preferred to one that has not.
TEST_F(ServerTest, SessionsThatAreOpenedAndNotUsedMakeRoom) {
  send_data(0, 0);
  answer(1);
  for (unsigned i = 0; i < 300; ++i) open(i);
  EXPECT_EQ(server_.sessions(), 4u);
  EXPECT_TRUE(send_data(0, 1).empty());
  EXPECT_EQ(answer(1).size(), 1u) << "the session in use is there";
  const Header late = open(7);
  send(data(late, 0, 0, 0, 1, {}));
  EXPECT_EQ(answer(1).size(), 1u) << "and so is one that is used at once";
}

TEST_F(ServerTest, LeavesOpenRequestsUnansweredWhenAllItsSessionsAreInUse) {
  send_data(0, 0);
  for (unsigned i = 0; i < 3; ++i) send(data(open(i), 0, 0, 0, 1, {}));
  EXPECT_TRUE(send(open_request(9)).empty());
  EXPECT_EQ(server_.sessions(), 4u);
  open(1, 11s);
  EXPECT_EQ(server_.sessions(), 1u) << "the idle ones have gone";
}

TEST_F(ServerTest, BoundsWhatItHolds) {
  const OctetBuffer piece(1374);
  for (std::uint8_t channel = 0; channel < 8; ++channel)
    for (std::uint16_t number = 0; number < 100; ++number) send(data(session_, channel, 0, number, 65535, piece));
  EXPECT_LE(server_.octets_held(), 200'000u);
  EXPECT_GT(server_.octets_held(), 190'000u);
  session_ = open(3, 1s);
  EXPECT_TRUE(send(data(session_, 0, 0, 0, 2, piece, {}), 9s).empty());
  send(data(session_, 0, 0, 0, 2, piece, {}), 10s + 1ns);
  EXPECT_EQ(server_.octets_held(), 1374u) << "the idle session made room";
}

TEST_F(ServerTest, RefusesResponsesThatItCannotHold) {
  send_data(0, 0);
  const auto first = next();
  EXPECT_FALSE(server_.respond(first->handle, OctetBuffer(100'001), 0s));
  EXPECT_TRUE(server_.respond(first->handle, OctetBuffer(100'000), 0s));
  send_data(1, 0);
  EXPECT_TRUE(server_.respond(next()->handle, OctetBuffer(100'000), 0s));
  send_data(2, 0);
  EXPECT_FALSE(server_.respond(next()->handle, OctetBuffer(1), 0s));
  send_data(0, 1);
  EXPECT_EQ(server_.octets_held(), 100'001u) << "the next RPC let the stored response go";
}

}  // namespace
}  // namespace wirelaw::ramcloud
