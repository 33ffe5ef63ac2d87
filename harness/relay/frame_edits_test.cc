// SPDX-License-Identifier: Apache-2.0
// Faults on the messages in frames. The messages are those of scripts, and the frames are made from them. The receiver
// verifies checksums, and that no octet of a stream has two values.
#include "harness/relay/frame_edits.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <random>

#include "conformance/protocol.h"
#include "conformance/script/conversation.h"
#include "conformance/script/languages.h"
#include "harness/script/script_file.h"
#include "pcap/checksum.h"
#include "pcap/ethernet.h"
#include "pcap/ip.h"
#include "pcap/link.h"
#include "pcap/synthesis.h"

namespace wirelaw {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Clock = FrameEdits::Clock;

constexpr std::uint16_t kPort = 7000;  // the responder listens here

// What one side sends, message by message.
std::vector<OctetBuffer> messages_of(const char* protocol, std::string_view steps, Side sender) {
  const auto file = script_of(fmt::format("protocol {}\n{}", protocol, steps), "x.wirelaw");
  EXPECT_TRUE(file) << (file ? "" : file.error());
  const auto spoken = script::speak(file->parts.front().part, *file->parts.front().language);
  EXPECT_TRUE(spoken);
  std::vector<OctetBuffer> messages;
  for (const script::Spoken& one : spoken->spoken)
    if (one.sender == sender && one.kind == script::Spoken::Kind::message) messages.push_back(one.octets);
  return messages;
}

// What one side sends, as one stream.
OctetBuffer stream_of(const char* protocol, std::string_view steps, Side sender) {
  OctetBuffer stream;
  for (const OctetBuffer& one : messages_of(protocol, steps, sender))
    stream.insert(stream.end(), one.begin(), one.end());
  return stream;
}

pcap::IpPacket packet_of(const OctetBuffer& frame) {
  pcap::IpPacket packet;
  const auto type = load_big_endian<std::uint16_t>(frame.data() + pcap::kEthernetType);
  EXPECT_FALSE(pcap::decode_ip(frame, static_cast<std::uint32_t>(frame.size()), {type, pcap::kEthernetHeader}, packet));
  return packet;
}

class FrameEditsTest : public testing::Test {
 protected:
  void start(const char* protocol, std::string_view text, std::size_t flows = 10) {
    const Protocol& its = *find_protocol(protocol);
    auto triggers = faults_of(text, "x.faults", its);
    ASSERT_TRUE(triggers) << triggers.error();
    faults_ = {.triggers = std::move(*triggers), .language = script::language_of(its)};
    counts_ = {};
    for (auto& one : received_) one.clear();
    next_[0] = next_[1] = 0;
    edits_.emplace(faults_, kPort, flows, counts_);
  }

  // --- TCP. Places of a stream count from 0; the SYN is before them.
  void connect() {
    tcp(true, std::uint32_t(-1), {}, pcap::TcpFlags::kSyn);
    tcp(false, std::uint32_t(-1), {}, pcap::TcpFlags::kSyn | pcap::TcpFlags::kAck);
  }
  // Returns how many frames have passed.
  std::size_t tcp(bool from_initiator, std::uint32_t place, Octets octets, std::uint8_t flags = pcap::TcpFlags::kAck) {
    OctetBuffer frame;
    const pcap::TcpHeader header{
        .seq = first_ + place, .ack = first_ + acknowledged_[from_initiator], .flags = {flags}};
    const auto& [from, to] = from_initiator ? std::tie(initiator_, responder_) : std::tie(responder_, initiator_);
    EXPECT_TRUE(pcap::synthesise_segment(from, to, header, octets, frame));
    return take(edits_->arrive(from_initiator, frame, {}, now_));
  }
  // Sends what follows in the stream.
  std::size_t send(bool from_initiator, Octets octets) {
    const std::uint32_t place = next_[from_initiator];
    next_[from_initiator] += static_cast<std::uint32_t>(octets.size());
    return tcp(from_initiator, place, octets);
  }
  std::size_t expire() {
    now_ += FrameEdits::kMostWait;
    return take({.passing = edits_->expire(now_)});
  }
  // What the receiver of this direction has, up to the first hole.
  OctetBuffer received(bool from_initiator) const {
    OctetBuffer stream;
    for (const auto& [place, octet] : received_[from_initiator]) {
      if (place != stream.size()) break;
      stream.push_back(octet);
    }
    return stream;
  }

  // --- UDP
  FrameEdits::Outcome udp(Octets payload, std::uint16_t port = 5000, bool has_checksum = true) {
    const pcap::Endpoint from = *pcap::parse_endpoint(fmt::format("192.0.2.1:{}", port));
    EXPECT_TRUE(pcap::synthesise_datagram(from, responder_, payload, sent_));
    if (!has_checksum) sent_[kUdp + 6] = sent_[kUdp + 7] = 0;
    return edits_->arrive(true, sent_, {}, now_);
  }
  static constexpr std::size_t kUdp = pcap::kEthernetHeader + 20, kPayload = kUdp + pcap::kUdpHeader;

  std::size_t take(const FrameEdits::Outcome& outcome) {
    remarks_ = outcome.comments;
    if (!receives_) return outcome.passing.size();
    for (const PassingFrame& one : outcome.passing) {
      remarks_.insert(remarks_.end(), one.comments.begin(), one.comments.end());
      const pcap::IpPacket packet = packet_of(one.octets);
      EXPECT_EQ(pcap::transport_checksum(packet.source, packet.destination, packet.protocol, packet.payload), 0);
      pcap::Segment segment;
      if (packet.protocol != pcap::kProtocolTcp || pcap::decode_tcp(packet, segment)) continue;
      for (std::size_t i = 0; i < segment.payload.size(); ++i) {
        const std::uint32_t place = segment.seq - first_ + static_cast<std::uint32_t>(i);
        const auto [at, is_new] = received_[one.from_initiator].emplace(place, segment.payload[i]);
        EXPECT_EQ(at->second, segment.payload[i]) << "octet " << place << " has two values";
      }
    }
    return outcome.passing.size();
  }

  const pcap::Endpoint initiator_ = *pcap::parse_endpoint("192.0.2.1:5000"),
                       responder_ = *pcap::parse_endpoint(fmt::format("192.0.2.2:{}", kPort));
  HostileFaults faults_;
  RelayCounts counts_;
  std::optional<FrameEdits> edits_;
  Clock::time_point now_{};
  std::uint32_t first_ = 1000;                         // sequence number of the first octet of each side
  std::uint32_t next_[2] = {}, acknowledged_[2] = {};  // places; [1]: sent by the initiator
  std::map<std::uint32_t, Octet> received_[2];         // [1]: what the responder has
  std::vector<std::string> remarks_;                   // comments of the latest frames
  bool receives_ = true;                               // false: the receiver looks at nothing, for a long stream
  OctetBuffer sent_;                                   // the latest datagram
};

constexpr std::string_view kSends = "a Send size=40\na Send size=500\na Send size=60\n";

// The start frames pass first. Then the initiator's Sends are left.
class EditsOfAStream : public FrameEditsTest {
 protected:
  void begin(std::string_view faults) {
    start("rdmap", faults);
    connect();
    const OctetBuffer reply = stream_of("rdmap", kSends, Side::b);
    EXPECT_EQ(send(true, Octets(stream_).first(kStartFrame)), 1u);
    EXPECT_EQ(send(false, reply), 1u);
  }
  // The octets of the initiator, as the faults change them if each message has a segment of its own.
  OctetBuffer edited(std::string_view faults) {
    begin(faults);
    send(true, Octets(stream_).subspan(kStartFrame));
    OctetBuffer all = received(true);
    EXPECT_EQ(all.size(), stream_.size());
    EXPECT_NE(all, stream_);
    return all;
  }

  static constexpr std::size_t kStartFrame = 20;
  const OctetBuffer stream_ = stream_of("rdmap", kSends, Side::a);
};

TEST_F(EditsOfAStream, AreInTheMessageAloneAndInTheComments) {
  begin("on a Send nth 2: msn+=1");
  EXPECT_EQ(send(true, Octets(stream_).subspan(kStartFrame)), 1u);
  EXPECT_THAT(remarks_, Contains("the relay plays line 1 of the faults: msn+="));
  const OctetBuffer all = received(true);
  ASSERT_EQ(all.size(), stream_.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < all.size(); ++i) different += all[i] != stream_[i] ? 1 : 0;
  EXPECT_GT(different, 0u);
  EXPECT_LE(different, 8u) << "the MSN and the CRC";
  EXPECT_EQ(counts_.played.at(1), 1u);
}

TEST_F(EditsOfAStream, WaitUntilTheMessageIsWhole) {
  const OctetBuffer wanted = edited("on a Send: / fpdu crc^=1");
  begin("on a Send: / fpdu crc^=1");
  const Octets rest = Octets(stream_).subspan(kStartFrame);
  EXPECT_EQ(send(true, rest.first(10)), 0u);
  EXPECT_TRUE(edits_->next_due());
  EXPECT_EQ(send(true, rest.subspan(10, 10)), 0u);
  const std::size_t passed = send(true, rest.subspan(20));
  EXPECT_EQ(passed, 3u);
  EXPECT_FALSE(edits_->next_due());
  EXPECT_EQ(received(true), wanted);
}

TEST_F(EditsOfAStream, AreTheSameInRepeatedSegmentsOfOtherLengths) {
  const OctetBuffer wanted = edited("on a Send nth 2: msn+=1\non a FPDU nth 4: crc^=15");
  for (std::uint32_t length : {1u, 7u, 50u, 300u, 650u})
    for (std::uint32_t at = 0; at < stream_.size(); at += length)
      EXPECT_EQ(tcp(true, at, Octets(stream_).subspan(at, std::min<std::size_t>(length, stream_.size() - at))), 1u);
  EXPECT_EQ(received(true), wanted);
  // They are known for some time after the acknowledgment, which may be lost.
  acknowledged_[false] = next_[true];
  tcp(false, next_[false], {});
  tcp(true, 0, stream_);
  EXPECT_EQ(received(true), wanted);
}

TEST_F(EditsOfAStream, WorkWhenSequenceNumbersWrap) {
  constexpr std::string_view kFaults = "on a Send: / fpdu crc^=1";
  const OctetBuffer wanted = edited(kFaults);
  for (const std::uint32_t before : {1u, 20u, 21u, 80u, 300u, 600u}) {
    first_ = 0u - before;
    EXPECT_EQ(edited(kFaults), wanted) << before;
    tcp(true, 0, stream_);  // again
    EXPECT_EQ(received(true), wanted) << before;
  }
}

TEST_F(EditsOfAStream, GoOnWhenAHoleIsFilled) {
  constexpr std::string_view kFaults = "on a Send: / fpdu crc^=1";
  const OctetBuffer wanted = edited(kFaults);
  begin(kFaults);
  constexpr std::uint32_t kFirst = 100, kSecond = 300;
  EXPECT_EQ(tcp(true, kSecond, Octets(stream_).subspan(kSecond)), 0u);
  EXPECT_EQ(tcp(true, kFirst, Octets(stream_).subspan(kFirst, kSecond - kFirst)), 0u);
  EXPECT_EQ(tcp(true, kStartFrame, Octets(stream_).subspan(kStartFrame, kFirst - kStartFrame)), 3u);
  EXPECT_EQ(received(true), wanted);
  EXPECT_THAT(counts_.not_played, IsEmpty());
}

TEST_F(EditsOfAStream, EndWithAHoleThatNothingFills) {
  begin("on a Send: / fpdu crc^=1");
  EXPECT_EQ(tcp(true, 300, Octets(stream_).subspan(300)), 0u);
  EXPECT_EQ(expire(), 1u);
  EXPECT_THAT(remarks_, Contains(HasSubstr("no more faults on what the initiator sends on this connection: octets")));
  EXPECT_THAT(counts_.not_played[1], HasSubstr("line 1 of the faults was not played on all that passed: octets"));
  EXPECT_EQ(tcp(true, kStartFrame, Octets(stream_).subspan(kStartFrame)), 1u);
  OctetBuffer all = received(true);
  ASSERT_EQ(all.size(), stream_.size());
  EXPECT_TRUE(std::equal(all.begin() + kStartFrame, all.end(), stream_.begin() + kStartFrame));
}

TEST_F(EditsOfAStream, EndWithAMessageForWhichFramesWouldWaitTooLong) {
  const auto is_unedited = [&] {
    const OctetBuffer all = received(true);
    return all.size() > kStartFrame && std::equal(all.begin() + kStartFrame, all.end(), stream_.begin() + kStartFrame);
  };
  const Octets rest = Octets(stream_).subspan(kStartFrame);
  begin("on a FPDU nth 2: crc^=1");
  EXPECT_EQ(send(true, rest.first(10)), 0u);
  EXPECT_EQ(expire(), 1u);
  EXPECT_THAT(counts_.not_played[1], HasSubstr("its message was not whole within 100 ms"));
  EXPECT_EQ(send(true, rest.subspan(10)), 1u);
  EXPECT_TRUE(is_unedited());

  begin("on a FPDU nth 2: crc^=1");
  for (std::size_t i = 0; i < FrameEdits::kMostFrames; ++i) EXPECT_EQ(send(true, rest.subspan(i, 1)), 0u);
  EXPECT_EQ(send(true, rest.subspan(FrameEdits::kMostFrames, 1)), FrameEdits::kMostFrames + 1);
  EXPECT_THAT(counts_.not_played[1], HasSubstr("not whole after 64 KiB or 32 frames"));
  EXPECT_TRUE(is_unedited());

  begin("on a FPDU nth 2: crc^=1");
  EXPECT_EQ(send(true, rest.first(10)), 0u);
  EXPECT_EQ(tcp(true, kStartFrame, rest.first(5)), 2u);
  EXPECT_THAT(counts_.not_played[1], HasSubstr("it was repeated before its message was whole"));
  EXPECT_TRUE(is_unedited());
  EXPECT_FALSE(edits_->next_due());
}

// A direction without faults from now on keeps the edits that it has made.
TEST_F(EditsOfAStream, ThatWereMadeAreKeptWhenThereAreNoMore) {
  begin("on a Send: / fpdu crc^=1");
  const std::size_t first = stream_of("rdmap", "a Send size=40\n", Side::a).size();  // with the start frame
  EXPECT_EQ(send(true, Octets(stream_).subspan(kStartFrame, first - kStartFrame)), 1u);
  EXPECT_EQ(send(true, Octets(stream_).subspan(first, 10)), 0u);
  EXPECT_EQ(expire(), 1u);
  const OctetBuffer before = received(true);
  EXPECT_FALSE(std::equal(before.begin(), before.end(), stream_.begin()));
  tcp(true, 0, stream_);
  EXPECT_EQ(received(true).size(), stream_.size());
  tcp(true, 5, Octets(stream_).subspan(5));
}

TEST_F(EditsOfAStream, LetAMessagePassWhoseSenderCloses) {
  for (const std::uint8_t end : {pcap::TcpFlags::kFin, pcap::TcpFlags::kRst}) {
    begin("on a FPDU nth 2: crc^=1");
    EXPECT_EQ(send(true, Octets(stream_).subspan(kStartFrame, 10)), 0u);
    EXPECT_EQ(tcp(true, next_[true], {}, end | pcap::TcpFlags::kAck), 2u);
    EXPECT_EQ(received(true).size(), kStartFrame + 10);
    EXPECT_THAT(counts_.not_played, IsEmpty());
  }
}

TEST_F(EditsOfAStream, CountAnewOnANewConnectionOfTheSamePorts) {
  begin("on a MpaRequest nth 1: res^=1");
  EXPECT_EQ(counts_.played[1], 1u);
  tcp(true, next_[true], {}, pcap::TcpFlags::kRst);
  first_ += 5000;
  received_[true].clear();
  next_[true] = 0;
  connect();
  send(true, Octets(stream_).first(kStartFrame));
  EXPECT_EQ(counts_.played[1], 2u);
  EXPECT_EQ(received(true).size(), kStartFrame);
}

TEST_F(EditsOfAStream, AreNotMadeWithoutItsBeginningAndThatIsSaid) {
  start("rdmap", "on a Send: / fpdu crc^=1");
  EXPECT_EQ(tcp(true, 0, stream_), 1u);
  EXPECT_EQ(received(true), stream_);
  EXPECT_THAT(remarks_, Contains(HasSubstr("not followed the connection from its beginning")));
  EXPECT_THAT(counts_.not_played, SizeIs(1));
}

TEST_F(EditsOfAStream, AreKeptInBoundedMemory) {
  const OctetBuffer message = messages_of("rdmap", "a Send size=1300\n", Side::a).back();
  receives_ = false;
  constexpr int kMoreThanAreKept = 4000;  // an edit has all of the message, up to its CRC
  for (const bool is_acknowledged : {true, false}) {
    begin("on a Send: inval_stag=7");
    for (int i = 0; i < kMoreThanAreKept; ++i) {
      EXPECT_EQ(send(true, message), 1u);
      if (!is_acknowledged) continue;
      acknowledged_[false] = next_[true];
      tcp(false, next_[false], {});
    }
    EXPECT_EQ(counts_.not_played.empty(), is_acknowledged);
  }
  EXPECT_THAT(counts_.not_played[1], HasSubstr("too many edits wait for an acknowledgment"));
}

// Segments are cut, repeated, reordered and lost at random. The receiver never gets two values for an octet.
TEST_F(EditsOfAStream, AreTheSameHoweverTheStreamIsCutAndRepeated) {
  constexpr std::string_view kFaults = "on a Send: / fpdu crc^=1";
  const OctetBuffer wanted = edited(kFaults);
  int played = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    first_ = static_cast<std::uint32_t>(random());
    begin(kFaults);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sent;
    for (std::uint32_t at = kStartFrame; at < stream_.size();) {
      const std::uint32_t end = std::min(at + 1 + below(400), static_cast<std::uint32_t>(stream_.size()));
      sent.emplace_back(at, end);
      at = end;
    }
    if (sent.size() > 1 && below(2) == 0) std::swap(sent[below(sent.size())], sent[below(sent.size())]);
    for (const auto& [at, end] : sent) {
      tcp(true, at, Octets(stream_).subspan(at, end - at));
      if (below(4) != 0) continue;
      const std::uint32_t from = below(end), to = from + 1 + below(end - from);
      tcp(true, from, Octets(stream_).subspan(from, to - from));
    }
    while (edits_->next_due()) expire();
    tcp(true, 0, stream_);
    ASSERT_EQ(received(true).size(), stream_.size()) << seed;
    if (counts_.not_played.empty()) {
      ASSERT_EQ(received(true), wanted) << seed;
      ++played;
    }
    if (HasFailure()) FAIL() << seed;
  }
  EXPECT_GT(played, 50) << "most runs have all edits";
}

TEST_F(FrameEditsTest, DoOnlyEditsOfTheSameLengthInAStream) {
  const OctetBuffer stream = stream_of("umsp", "a SESSION_OPEN\n", Side::a);
  for (const char* const effect :
       {"lose", "twice", "cut 1", "append hex:00", "insert 1, hex:00", "delay 5ms", "close"}) {
    start("umsp", fmt::format("on a any: {}", effect));
    connect();
    send(true, stream);
    EXPECT_EQ(received(true), stream) << effect;
    EXPECT_THAT(remarks_, Contains(HasSubstr("cannot play line 1 of the faults: a transparent relay cannot do")))
        << effect;
    EXPECT_THAT(counts_.not_played, SizeIs(1)) << effect;
    EXPECT_THAT(counts_.played, IsEmpty()) << effect;
  }
}

TEST_F(FrameEditsTest, EditADatagramAndItsChecksum) {
  const OctetBuffer message = messages_of("ramcloud", "a DATA\n", Side::a).back();
  for (const bool has_checksum : {true, false}) {
    start("ramcloud", "on a DATA: rpc_id^=1");
    const FrameEdits::Outcome outcome = udp(message, 5000, has_checksum);
    ASSERT_THAT(outcome.passing, SizeIs(1));
    const OctetBuffer& frame = outcome.passing[0].octets;
    ASSERT_EQ(frame.size(), sent_.size());
    EXPECT_FALSE(std::equal(frame.begin() + kPayload, frame.end(), sent_.begin() + kPayload));
    EXPECT_TRUE(std::equal(frame.begin(), frame.begin() + kUdp, sent_.begin()));
    const pcap::IpPacket packet = packet_of(frame);
    const auto sum = load_big_endian<std::uint16_t>(frame.data() + kUdp + 6);
    if (has_checksum)
      EXPECT_EQ(pcap::transport_checksum(packet.source, packet.destination, packet.protocol, packet.payload), 0);
    EXPECT_EQ(sum != 0, has_checksum);
    EXPECT_THAT(outcome.passing[0].comments, Contains("the relay plays line 1 of the faults: rpc_id^="));
  }
}

TEST_F(FrameEditsTest, LoseDoubleAndDelayDatagrams) {
  const OctetBuffer message = messages_of("ramcloud", "a DATA\n", Side::a).back();
  start("ramcloud", "on a DATA nth 1: lose\non a DATA nth 2: twice delay 5ms\non a DATA nth 3: cut 1\n");
  const FrameEdits::Outcome lost = udp(message);
  EXPECT_THAT(lost.passing, IsEmpty());
  EXPECT_THAT(lost.comments, Contains("the relay plays line 1 of the faults: lose"));
  const FrameEdits::Outcome doubled = udp(message);
  ASSERT_THAT(doubled.passing, SizeIs(2));
  for (const PassingFrame& one : doubled.passing) {
    EXPECT_EQ(one.octets, sent_);
    EXPECT_EQ(one.delay, std::chrono::milliseconds(5));
  }
  const FrameEdits::Outcome cut = udp(message);
  ASSERT_THAT(cut.passing, SizeIs(1));
  EXPECT_EQ(cut.passing[0].octets, sent_);
  EXPECT_THAT(counts_.not_played[3], HasSubstr("a transparent relay changes no length"));
}

TEST_F(FrameEditsTest, LeaveOtherFlowsAlone) {
  const OctetBuffer message = messages_of("ramcloud", "a DATA\n", Side::a).back();
  start("ramcloud", "on a DATA: lose", 1);
  EXPECT_THAT(udp(message).passing, IsEmpty());
  const FrameEdits::Outcome further = udp(message, 5001);
  EXPECT_THAT(further.passing, SizeIs(1));
  EXPECT_THAT(further.comments, Contains("the relay plays no faults on it: 1 flows are open"));
  now_ += std::chrono::seconds(2);
  EXPECT_THAT(udp(message, 5001).passing, IsEmpty()) << "the other flow is idle";

  start("ramcloud", "on a DATA: lose");
  OctetBuffer frame;
  ASSERT_TRUE(pcap::synthesise_datagram(initiator_, *pcap::parse_endpoint("192.0.2.2:53"), message, frame));
  EXPECT_THAT(edits_->arrive(true, frame, {}, now_).passing, SizeIs(1)) << "another port";
  ASSERT_TRUE(pcap::synthesise_datagram(initiator_, responder_, message, frame));
  frame.back() ^= 1;
  EXPECT_THAT(edits_->arrive(true, frame, {}, now_).passing, SizeIs(1)) << "a wrong checksum";
  EXPECT_THAT(edits_->arrive(true, OctetBuffer(10), {}, now_).passing, SizeIs(1)) << "no packet";
}

}  // namespace
}  // namespace wirelaw
