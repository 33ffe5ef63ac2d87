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
    pairs_.expire(time_ns);
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
  constexpr auto kPatience = static_cast<std::int64_t>(EarlyPackets::kPatienceNs);
  for (const std::int64_t later_ns : {0L, 5'000'000L, -5'000'000L, kPatience}) {
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

// --------------------------------------------------------------------------------- packets before their connection

struct Released {
  std::uint64_t frame = 0;
  std::string flow;
  bool operator==(const Released&) const = default;
};
void PrintTo(const Released& one, std::ostream* out) {
  *out << one.frame << ": " << one.flow;
}
std::vector<Released> released_by(QueuePairs& pairs) {
  std::vector<Released> all;
  while (pairs.has_released()) {
    const ReleasedDatagram one = pairs.take_released();
    EXPECT_EQ(one.packet.datagram.payload.size(), one.packet.datagram.wire_length);
    all.push_back({one.packet.datagram.frame, text(one.route.flow)});
  }
  return all;
}

constexpr auto kPatience = static_cast<std::int64_t>(EarlyPackets::kPatienceNs);
const std::string kFromA = "192.0.2.1:17 > 192.0.2.2:34", kFromB = "192.0.2.2:34 > 192.0.2.1:17";
CmMessage ready() {
  return {.type = CmType::ready, .local_id = 7, .remote_id = 8};
}

TEST(EarlyPackets, OfTheInitiatorWaitForTheReply) {
  for (const std::int64_t later_ns : {std::int64_t{0}, std::int64_t{50'000}, kPatience}) {
    Wire wire;
    wire.manage(true, request());
    wire.manage(true, ready());
    for (const std::uint32_t psn : {2U, 3U}) EXPECT_TRUE(wire.send(true, kB, psn).waits);
    EXPECT_TRUE(wire.acknowledge(true, kB, 1).waits);
    EXPECT_FALSE(wire.pairs().has_released());
    wire.time_ns = later_ns;
    const RoceRoute made = wire.manage(false, reply());
    EXPECT_EQ(made.late_ns, later_ns) << "by the initiator's answer to the reply";
    EXPECT_EQ(released_by(wire.pairs()), (std::vector<Released>{{3, kFromA}, {4, kFromA}, {5, kFromA}}));
    EXPECT_FALSE(wire.send(true, kB, 4).waits);
    EXPECT_EQ(wire.pairs().unnamed(), 0U);
  }
}

TEST(EarlyPackets, OfTheResponderWaitForTheRequest) {
  for (const std::int64_t later_ns : {std::int64_t{0}, std::int64_t{5'000'000}, kPatience}) {
    Wire wire;
    wire.manage(false, reply());
    EXPECT_TRUE(wire.acknowledge(false, kA, 2).waits);
    EXPECT_TRUE(wire.send(false, kA, 1).waits);
    EXPECT_TRUE(wire.packet(false, opcode::kCongestion, kA, 0).waits);
    EXPECT_TRUE(wire.manage(false, {.type = CmType::disconnection, .local_id = 8, .remote_id = 7, .qpn = kA}).waits);
    wire.time_ns = later_ns;
    EXPECT_EQ(wire.manage(true, request()).late_ns, later_ns);
    EXPECT_EQ(released_by(wire.pairs()),
              (std::vector<Released>{{2, kFromB}, {3, kFromB}, {4, kFromB}, {5, "192.0.2.2:1 > 192.0.2.1:1"}}));
    EXPECT_EQ(wire.pairs().unnamed(), 0U);
  }
}

TEST(EarlyPackets, AreThoseOfOneOfSeveralConnections) {
  Wire wire;
  wire.manage(true, request(7, kA));
  wire.manage(true, request(9, kA + 1));
  wire.send(true, kB, 2);
  wire.send(true, kB + 1, 2);
  wire.manage(false, reply(9, kB + 1));
  EXPECT_EQ(released_by(wire.pairs()), (std::vector<Released>{{4, "192.0.2.1:18 > 192.0.2.2:35"}}));
  wire.manage(false, reply(7, kB));
  EXPECT_EQ(released_by(wire.pairs()), (std::vector<Released>{{3, kFromA}}));
}

TEST(EarlyPackets, WaitOnlyWhileAConnectionIsBeingOpened) {
  Wire wire;
  EXPECT_FALSE(wire.send(true, kB, 2).waits) << "the capture began late";
  wire.manage(true, request());
  EXPECT_FALSE(wire.send(true, kB, 3).waits) << "this queue pair is known from before";
  EXPECT_TRUE(wire.send(true, kB + 1, 2).waits);
  wire.manage(false, {.type = CmType::rejection, .local_id = 8, .remote_id = 7});
  const auto released = released_by(wire.pairs());
  ASSERT_EQ(released.size(), 1U);
  EXPECT_EQ(released[0].frame, 4U);
  EXPECT_FALSE(wire.send(true, kB + 2, 2).waits);
  EXPECT_EQ(wire.pairs().unnamed(), 0U) << "they are of a connection that was opened before the capture";
}

TEST(EarlyPackets, WaitOneSecondInTheTimeOfTheCapture) {
  Wire wire;
  wire.manage(true, request());
  wire.send(true, kB, 2);
  wire.time_ns = kPatience;
  wire.send(true, kB, 3);
  EXPECT_FALSE(wire.pairs().has_released());
  wire.time_ns = kPatience + 1;
  wire.send(true, kB + 1, 7);
  const auto released = released_by(wire.pairs());
  ASSERT_EQ(released.size(), 2U);
  EXPECT_EQ(released[0].frame, 2U);
  EXPECT_EQ(released[1].frame, 3U);
  EXPECT_EQ(wire.pairs().unnamed(), 2U);
  EXPECT_FALSE(wire.send(true, kB, 4).waits);
  wire.manage(false, reply());
  EXPECT_EQ(text(wire.send(true, kB, 5).flow), kFromA) << "the connection is known all the same";
}

TEST(EarlyPackets, OfALaterOpeningWaitThoughOneBeforeWasInVain) {
  Wire wire;
  wire.manage(true, request(7, kA));
  wire.send(true, kB, 2);
  wire.time_ns = kPatience;
  wire.manage(true, request(9, kA + 1));
  EXPECT_TRUE(wire.send(true, kB + 1, 2).waits);
  wire.time_ns = kPatience + 1;
  EXPECT_TRUE(wire.send(true, kB + 1, 3).waits);
  EXPECT_EQ(released_by(wire.pairs()).size(), 1U);
  wire.manage(false, reply(9, kB + 1));
  EXPECT_EQ(released_by(wire.pairs()).size(), 2U);
  EXPECT_EQ(wire.pairs().unnamed(), 1U);
}

TEST(EarlyPackets, AreReleasedAtTheEnd) {
  Wire wire;
  wire.manage(true, request());
  wire.send(true, kB, 2);
  wire.pairs().finish();
  EXPECT_EQ(released_by(wire.pairs()).size(), 1U);
  EXPECT_EQ(wire.pairs().unnamed(), 1U);
}

// The queue pairs of a connection that has ended may be used again. Only numbers show which packets are of which.
TEST(EarlyPackets, OfTheConnectionBeforeAreKnownByTheirNumbers) {
  constexpr std::uint32_t kNewA = 0x800000, kNewB = 0xfffffe;
  Wire wire;
  wire.manage(true, request());
  wire.manage(false, reply());
  wire.send(true, kB, 2);
  wire.manage(true, {.type = CmType::disconnection, .local_id = 7, .remote_id = 8, .qpn = kB});
  CmMessage asked = request(9), answer = reply(9);
  asked.starting_psn = kNewB;
  answer.starting_psn = kNewA;
  answer.local_id = 10;
  wire.manage(true, asked);
  EXPECT_TRUE(wire.acknowledge(false, kA, 2).waits);  // frame 6, of the one before
  EXPECT_TRUE(wire.send(true, kB, kNewA).waits);      // frame 7
  EXPECT_TRUE(wire.send(true, kB, 3).waits);          // frame 8, of the one before
  EXPECT_TRUE(wire.acknowledge(true, kB, 0).waits);   // frame 9, after the number has wrapped
  wire.manage(false, answer);
  ASSERT_TRUE(wire.pairs().has_older());
  EXPECT_EQ(wire.pairs().take_released().packet.datagram.frame, 6U);
  ASSERT_TRUE(wire.pairs().has_older());
  EXPECT_EQ(text(wire.pairs().take_released().route.flow), kFromA);
  EXPECT_FALSE(wire.pairs().has_older());
  EXPECT_EQ(released_by(wire.pairs()), (std::vector<Released>{{7, kFromA}, {9, kFromA}}));
}

TEST(EarlyPackets, AreHeldInBoundedMemory) {
  EarlyPackets packets;
  const Address hosts[] = {parse_endpoint("192.0.2.1:1")->address, parse_endpoint("192.0.2.2:1")->address};
  const OctetBuffer octets(60'000);
  Datagram datagram;
  datagram.payload = octets;
  datagram.source = {hosts[0], kPort};
  datagram.destination = {hosts[1], kPort};
  std::uint64_t released = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    if (i % 3 == 0) datagram.payload = Octets(octets).first(i % 2 == 0 ? 20 : octets.size());
    packets.open({hosts[0], hosts[1], i});
    packets.hold(datagram, {.bth = {.destination_qp = i}}, {});
    EXPECT_LE(packets.size(), EarlyPackets::kMost);
    EXPECT_LE(packets.memory(), EarlyPackets::kMostOctets + octets.size() + EarlyPackets::kMost * 1024);
    for (; packets.has_released(); ++released) packets.take_released();
  }
  EXPECT_GT(released, 0U);
  EXPECT_LE(packets.openings(), EarlyPackets::kMostOpenings);
}

TEST(EarlyPackets, OfAFloodBeforeTheReplyAreGivenUpInTheirOrder) {
  Wire wire;
  wire.manage(true, request());
  std::uint64_t released = 0;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    wire.send(true, kB + i % 7, 2 + i);
    for (const Released& one : released_by(wire.pairs())) EXPECT_EQ(one.frame, 2 + released++);
  }
  EXPECT_EQ(released, EarlyPackets::kMost + 1) << "once it is given up, nothing waits for this connection";
  EXPECT_EQ(wire.pairs().unnamed(), released);
}

// ---------------------------------------------------------------------------------------------------- two clocks

TEST(TwoClocks, AreShownByARequestThatIsLaterThanItsAnswer) {
  Wire wire;
  wire.manage(true, request());
  wire.manage(false, reply());
  wire.time_ns = 1000;
  EXPECT_EQ(wire.acknowledge(false, kA, 3).late_ns, 0);
  wire.time_ns = 51'000;
  EXPECT_EQ(wire.send(true, kB, 2).late_ns, 0) << "not the request that was answered";
  EXPECT_EQ(wire.send(true, kB, 3).late_ns, 50'000);
  EXPECT_EQ(wire.send(true, kB, 4).late_ns, 0);
  wire.acknowledge(false, kA, 4);
  EXPECT_EQ(wire.send(true, kB, 5).late_ns, 0) << "in order";
}

TEST(TwoClocks, AreNotShownByAnAnswerToWhatIsMissing) {
  Wire wire;
  wire.manage(true, request());
  wire.manage(false, reply());
  wire.acknowledge(false, kA, 2);
  wire.time_ns = kPatience;
  EXPECT_EQ(wire.send(true, kB, 3).late_ns, 0);
  EXPECT_EQ(wire.send(true, kB, 4).late_ns, 0);
}

TEST(TwoClocks, AreShownInACaptureThatBeginsLate) {
  Wire wire;
  wire.send(true, kB, 500);
  wire.acknowledge(false, kA, 500);
  wire.packet(false, opcode::kReadResponseOnly, kA, 501);
  wire.time_ns = 7000;
  EXPECT_EQ(wire.packet(true, opcode::kReadRequest, kB, 501, 100).late_ns, 7000);
}

TEST(TwoClocks, AreForgottenWithTheirConnection) {
  Wire wire;
  wire.manage(true, request());
  wire.manage(false, reply());
  for (std::uint32_t i = 0; i < QueuePairs::kMostDirections + 100; ++i) wire.send(true, 0x1000 + i, i);
  EXPECT_EQ(wire.acknowledge(false, kA, 3).late_ns, 0);
  EXPECT_EQ(wire.send(true, kB, 3).late_ns, 0);
  EXPECT_EQ(wire.pairs().directions(), QueuePairs::kMostDirections);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
