// SPDX-License-Identifier: Apache-2.0
#include "pcap/queue_pairs.h"

#include <gtest/gtest.h>

#include <deque>

namespace wirelaw::pcap::testing {
namespace {

using namespace roce;

// Makes datagrams between 192.0.2.1 (a) and 192.0.2.2 (b), and keeps their octets.
class Wire {
 public:
  RoceRoute packet(bool from_a, std::uint8_t opcode, std::uint32_t qpn, std::uint32_t psn, std::uint32_t length = 0) {
    Packet one{.bth = {.opcode = opcode, .destination_qp = qpn, .psn = psn}, .icrc = 0};
    const OpcodeRow& row = *find_opcode(opcode);
    if (row.has(Header::reth)) one.reth = Reth{.length = length};
    if (row.has(Header::aeth)) one.aeth = Aeth{.syndrome = kUnlimitedCredits};
    return route(from_a, one);
  }
  RoceRoute send(bool from_a, std::uint32_t qpn, std::uint32_t psn) {
    return packet(from_a, opcode::kSendOnly, qpn, psn);
  }
  RoceRoute acknowledge(bool from_a, std::uint32_t qpn, std::uint32_t psn) {
    return packet(from_a, opcode::kAcknowledge, qpn, psn);
  }
  RoceRoute manage(bool from_a, const CmMessage& message) {
    OctetBuffer mad;
    encode(message, mad);
    return route(from_a, {.bth = {.opcode = opcode::kDatagramSendOnly, .destination_qp = kManagementQpn},
                          .deth = Deth{.source_qp = kManagementQpn},
                          .payload = mad,
                          .icrc = 0});
  }
  QueuePairs& pairs() { return pairs_; }
  std::int64_t time_ns = 0;

 private:
  RoceRoute route(bool from_a, const Packet& packet) {
    OctetBuffer octets;
    encode(packet, octets);
    const Octet a[] = {192, 0, 2, 1}, b[] = {192, 0, 2, 2};
    datagrams_.push_back(std::move(octets));
    Datagram datagram;
    datagram.frame = datagrams_.size();
    datagram.time_ns = time_ns;
    datagram.payload = datagrams_.back();
    datagram.wire_length = static_cast<std::uint32_t>(datagram.payload.size());
    datagram.source = {Address::ipv4(from_a ? a : b), 50'000};
    datagram.destination = {Address::ipv4(from_a ? b : a), kPort};
    EXPECT_TRUE(is_roce(datagram));
    return pairs_.route(datagram);
  }

  QueuePairs pairs_;
  std::deque<OctetBuffer> datagrams_;
};

constexpr std::uint32_t kA = 0x11, kB = 0x22;

CmMessage request(std::uint32_t id = 7, std::uint32_t qpn = kA) {
  return {.type = CmType::request, .local_id = id, .qpn = qpn, .starting_psn = 1};
}
CmMessage reply(std::uint32_t id = 7, std::uint32_t qpn = kB) {
  return {.type = CmType::reply, .local_id = 8, .remote_id = id, .qpn = qpn, .starting_psn = 2};
}

std::string text(const QueuePair& pair) {
  return to_string(pair.source) + " > " + to_string(pair.destination);
}

TEST(QueuePairs, AreThoseThatTheConnectionManagerSays) {
  Wire wire;
  EXPECT_EQ(text(wire.manage(true, request()).flow), "192.0.2.1:1 > 192.0.2.2:1");
  const RoceRoute made = wire.manage(false, reply());
  ASSERT_TRUE(made.about);
  EXPECT_EQ(text(*made.about), "192.0.2.2:34 > 192.0.2.1:17");
  ASSERT_NE(made.request, nullptr);
  EXPECT_EQ(made.request->frame, 1u);
  EXPECT_EQ(made.request->payload.size(), made.request->wire_length);
  EXPECT_EQ(text(wire.send(true, kB, 1).flow), "192.0.2.1:17 > 192.0.2.2:34");
  EXPECT_EQ(text(wire.acknowledge(false, kA, 1).flow), "192.0.2.2:34 > 192.0.2.1:17");
  EXPECT_EQ(text(wire.packet(false, opcode::kCongestion, kA, 0).flow), "192.0.2.2:34 > 192.0.2.1:17");
}

// The hosts may have been captured with two clocks.
TEST(QueuePairs, AreKnownThoughTheReplyIsCapturedBeforeItsRequest) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  for (const std::int64_t later_ns : {0L, 5'000'000L, -5'000'000L, kSecond}) {
    Wire wire;
    EXPECT_FALSE(wire.manage(false, reply()).about);
    EXPECT_FALSE(wire.manage(false, reply(9, 0x33)).about);
    wire.time_ns = later_ns;
    const RoceRoute made = wire.manage(true, request());
    ASSERT_TRUE(made.about && made.request != nullptr && made.reply != nullptr);
    EXPECT_EQ(text(*made.about), "192.0.2.2:34 > 192.0.2.1:17");
    EXPECT_EQ(made.request->frame, 3U);
    EXPECT_EQ(made.reply->frame, 1U);
    EXPECT_EQ(text(wire.send(true, kB, 2).flow), "192.0.2.1:17 > 192.0.2.2:34");
    EXPECT_EQ(text(wire.send(false, kA, 1).flow), "192.0.2.2:34 > 192.0.2.1:17");
  }
}

TEST(QueuePairs, AreNotThoseOfAReplyToAnotherRequest) {
  for (const std::int64_t later_ns : {1'000'000'001L, -1'000'000'001L}) {
    Wire wire;
    wire.manage(false, reply());
    wire.time_ns = later_ns;
    EXPECT_EQ(wire.manage(true, request()).reply, nullptr) << later_ns;
  }
  Wire wire;
  wire.manage(false, reply(6));
  wire.manage(true, reply());
  EXPECT_EQ(wire.manage(true, request()).reply, nullptr);
}

TEST(QueuePairs, AreOfTheConnectionThatIsEndedByItsNumbers) {
  Wire wire;
  wire.manage(true, request());
  wire.manage(false, reply());
  const RoceRoute again = wire.manage(false, reply());
  EXPECT_EQ(again.request, nullptr) << "a reply that is repeated makes no connection";
  const RoceRoute ended = wire.manage(false, {.type = CmType::disconnection, .local_id = 8, .remote_id = 7, .qpn = kA});
  ASSERT_TRUE(ended.about);
  EXPECT_EQ(text(*ended.about), "192.0.2.2:34 > 192.0.2.1:17");
  EXPECT_FALSE(wire.manage(true, {.type = CmType::disconnected, .local_id = 7, .remote_id = 9}).about) << "of another";
}

TEST(QueuePairs, ThatAreUsedAgainAreOfANewConnection) {
  Wire wire;
  wire.manage(true, request());
  wire.manage(false, reply());
  wire.manage(true, request(9));
  const RoceRoute made = wire.manage(false, reply(9));
  ASSERT_NE(made.request, nullptr);
  EXPECT_EQ(made.request->frame, 3u);
}

TEST(QueuePairs, OfACaptureThatBeginsLateAreFoundByTheNumberThatIsAnswered) {
  Wire wire;
  const QueuePair sent = wire.send(true, kB, 500).flow;
  EXPECT_EQ(sent.destination.port, kB);
  EXPECT_NE(sent.source.port & kUnknownQueue, 0u);
  const QueuePair answered = wire.acknowledge(false, kA, 500).flow;
  EXPECT_EQ(answered.source, sent.destination);
  EXPECT_EQ(answered.destination, sent.source);
  EXPECT_EQ(text(wire.send(false, kA, 77).flow), text(answered)) << "what the other side asks is of the same flow";
}

TEST(QueuePairs, ThatAnswerAReadOfManyPacketsAreFound) {
  Wire wire;
  const QueuePair sent = wire.packet(true, opcode::kReadRequest, kB, 500, 3000).flow;
  EXPECT_EQ(wire.packet(false, opcode::kReadResponseMiddle, kA, 501).flow.destination, sent.source);
}

TEST(QueuePairs, ThatMayBeAnyOfTwoAreLeftApart) {
  Wire wire;
  wire.send(true, kB, 500);
  wire.send(true, kB + 1, 500);
  EXPECT_EQ(text(wire.acknowledge(false, kA, 500).flow), "192.0.2.2:0 > 192.0.2.1:0");
  const QueuePair third = wire.send(true, kB + 1, 501).flow;
  EXPECT_EQ(wire.acknowledge(false, kA, 501).flow.source, third.destination) << "the next settles it";
}

TEST(QueuePairs, OfWhichBothHaveSentBeforeTheyAreFoundGoOnAsOne) {
  Wire wire;
  const QueuePair one = wire.send(true, kB, 500).flow, other = wire.send(false, kA, 900).flow;
  const RoceRoute found = wire.acknowledge(false, kA, 500);
  ASSERT_TRUE(found.abandons);
  EXPECT_EQ(text(*found.abandons), text(other));
  EXPECT_EQ(text(found.flow), text({one.destination, one.source}));
  EXPECT_FALSE(wire.send(false, kA, 901).abandons);
}

TEST(QueuePairs, AreForgottenBeforeTheyAreTooMany) {
  Wire wire;
  for (std::uint32_t i = 0; i < QueuePairs::kMostDirections + 100; ++i) wire.send(true, 2 + i, i);
  EXPECT_EQ(wire.pairs().directions(), QueuePairs::kMostDirections);
}

TEST(QueuePairs, AreNotLookedForInWhatIsNoPacket) {
  Datagram datagram;
  const OctetBuffer text{'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P', '/', '1', '.', '1', '\r', '\n', 0, 0};
  datagram.payload = text;
  datagram.wire_length = static_cast<std::uint32_t>(text.size());
  datagram.destination.port = kPort;
  EXPECT_FALSE(is_roce(datagram));
}

}  // namespace
}  // namespace wirelaw::pcap::testing
