// SPDX-License-Identifier: Apache-2.0
#include "pcap/tcp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

OctetBuffer frame(const OctetBuffer& segment, int total_length = -1) {
  return ethernet("0800", ipv4({.protocol = 6, .total_length = total_length}, segment));
}

OctetBuffer frame6(const OctetBuffer& segment, int payload_length = -1) {
  return ethernet("86dd", ipv6({.next = 6, .payload_length = payload_length}, segment));
}

TEST(Tcp, GivesNumbersFlagsPayloadAndWhereItWas) {
  const Reading reading =
      read_frame(frame(tcp({.seq = 0xfffffffe, .ack = 0x01020304, .flags = 0x11, .source = 7174}, hex("c0ffee"))));
  ASSERT_EQ(reading.segments.size(), 1U);
  const auto& [segment, payload] = reading.segments[0];
  EXPECT_EQ(to_string(segment.source), "192.0.2.1:7174");
  EXPECT_EQ(to_string(segment.destination), "192.0.2.2:6000");
  EXPECT_EQ(segment.seq, 0xfffffffeU);
  EXPECT_EQ(segment.ack, 0x01020304U);
  EXPECT_TRUE(segment.flags.fin() && segment.flags.ack());
  EXPECT_FALSE(segment.flags.syn() || segment.flags.rst() || segment.flags.psh() || segment.flags.urg());
  EXPECT_EQ(segment.window, 0x0400);
  EXPECT_EQ(payload, hex("c0ffee"));
  EXPECT_EQ(segment.wire_length, 3U);
  EXPECT_EQ(segment.frame, 1U);
  EXPECT_EQ(segment.frame_offset, 54U);
  EXPECT_EQ(segment.header_octets, 20);
  EXPECT_EQ(segment.ip_header_octets, 20);
  EXPECT_EQ(segment.ip_version, 4);
  EXPECT_EQ(segment.time_ns, 1'600'000'000'123'456'000);
}

TEST(Tcp, LinkPaddingIsNoPayload) {
  const Reading reading = read_frame(frame(tcp({}, {})) + hex("000000000000"));
  ASSERT_EQ(reading.segments.size(), 1U);
  EXPECT_EQ(reading.segments[0].segment.wire_length, 0U);
}

TEST(Tcp, ReadsTheMaximumSegmentSizeFromAnyPlaceAmongTheOptions) {
  const std::pair<const char*, int> cases[] = {
      {"020405b4", 1460},
      {"0101 0204 ffd7 0000", 65495},
      {"0303 0702 0405 b400", 1460},
      {"0204 0000", 0},
      {"00020405b4000000", 0},
      {"0101010101010101", 0},
      {"080a0000 00000000 0000 0204 05b40000", 1460},
  };
  for (const auto& [options, mss] : cases) {
    const Reading reading = read_frame(frame(tcp({.flags = 0x02, .options = hex(options)}, {})));
    ASSERT_EQ(reading.segments.size(), 1U) << options;
    EXPECT_EQ(reading.segments[0].segment.mss, mss) << options;
  }
}

TEST(Tcp, MalformedOptionsEndTheOptionsOnly) {
  for (const char* options : {"03000000020405b4", "0301 0000", "0305 0000", "01010102", "0203 0500", "01010201"}) {
    const Reading reading = read_frame(frame(tcp({.flags = 0x02, .options = hex(options)}, hex("c0ffee"))));
    ASSERT_EQ(reading.segments.size(), 1U) << options;
    EXPECT_EQ(reading.segments[0].segment.mss, 0) << options;
    EXPECT_EQ(reading.segments[0].payload, hex("c0ffee")) << options;
    EXPECT_EQ(reading.problem_count, 0U) << options;
  }
}

TEST(Tcp, OnlyASynAnnouncesAMaximumSegmentSize) {
  const Reading reading = read_frame(frame(tcp({.options = hex("020405b4")}, hex("c0ffee"))));
  ASSERT_EQ(reading.segments.size(), 1U);
  EXPECT_EQ(reading.segments[0].segment.mss, 0);
}

TEST(Tcp, HeaderThatEndsEarlyIsAProblem) {
  const OctetBuffer whole = tcp({}, {});
  const OctetBuffer cut(whole.begin(), whole.begin() + 19);
  EXPECT_THAT(read_frame(frame(cut)).problems,
              ElementsAre("frame 1, octet 34: a TCP header here needs 20 octets, but only 19 are present"));
}

TEST(Tcp, HeaderLengthsThatCannotBeAreProblems) {
  const Reading reading =
      read_frames(1, {frame(tcp({.data_offset = 4}, hex("c0ffee"))), frame(tcp({.data_offset = 6}, hex("c0ffee")))});
  EXPECT_THAT(reading.problems,
              ElementsAre("frame 1, octet 46: the TCP header length is 16 octets, less than 20",
                          "frame 2, octet 46: the TCP header length 24 is more than the IP payload's 23 octets"));
  EXPECT_EQ(reading.counts.malformed, 2U);
  EXPECT_EQ(reading.counts.tcp_segments, 0U);
}

TEST(Tcp, PayloadCutBySnapLengthIsDeliveredAndAProblem) {
  OctetBuffer cut = frame(tcp({}, hex("00010203040506070809")));
  const auto whole = static_cast<std::uint32_t>(cut.size());
  cut.resize(cut.size() - 6);
  const Reading reading = read_octets(pcap_file({}, std::vector<Record>{{.octets = cut, .wire_length = whole}}));
  ASSERT_EQ(reading.segments.size(), 1U);
  EXPECT_EQ(reading.segments[0].payload, hex("00010203"));
  EXPECT_EQ(reading.segments[0].segment.wire_length, 10U);
  EXPECT_EQ(reading.counts.payloads_cut, 1U);
  EXPECT_EQ(reading.counts.malformed, 0U);
  EXPECT_THAT(reading.problems, ElementsAre(HasSubstr("frame 1, octet 54: 4 of 10 payload octets were captured")));
}

TEST(Tcp, HeadersCutBySnapLengthAreAProblemOfTheCapture) {
  const OctetBuffer whole = frame(tcp({.options = hex("020405b4 01010101")}, hex("c0ffee")));
  for (const std::size_t captured : {35U, 53U, 54U, 61U}) {
    OctetBuffer cut = whole;
    cut.resize(captured);
    const Reading reading = read_octets(
        pcap_file({}, std::vector<Record>{{.octets = cut, .wire_length = static_cast<std::uint32_t>(whole.size())}}));
    EXPECT_EQ(reading.counts.headers_cut, 1U) << captured;
    EXPECT_EQ(reading.counts.malformed, 0U) << captured;
    EXPECT_THAT(reading.problems, ElementsAre(HasSubstr("(the snap length cut the frame)"))) << captured;
  }
}

// Segmentation offload leaves the length 0 in packets that it will still cut.
TEST(Tcp, LengthZeroMeansToTheEndOfTheFrame) {
  const OctetBuffer payload(70000, 0x5a);
  const Reading reading = read_frames(1, {frame(tcp({}, payload), 0), frame6(tcp({}, payload), 0)});
  ASSERT_EQ(reading.segments.size(), 2U) << ::testing::PrintToString(reading.problems);
  EXPECT_EQ(reading.segments[0].payload, payload);
  EXPECT_EQ(reading.segments[1].payload, payload);
  EXPECT_EQ(reading.segments[1].segment.ip_header_octets, 40);
  EXPECT_EQ(reading.problem_count, 0U);
}

TEST(Tcp, ComesFromReassembledPackets) {
  const OctetBuffer whole = tcp({}, hex("c0ffee00"));
  const OctetBuffer first(whole.begin(), whole.begin() + 16), last(whole.begin() + 16, whole.end());
  const Reading reading = read_frames(1, {ethernet("0800", ipv4({.protocol = 6, .more = true}, first)),
                                          ethernet("0800", ipv4({.protocol = 6, .fragment_offset = 16}, last))});
  ASSERT_EQ(reading.segments.size(), 1U);
  EXPECT_TRUE(reading.segments[0].segment.reassembled);
  EXPECT_EQ(reading.segments[0].segment.frame, 2U);
  EXPECT_EQ(reading.segments[0].segment.frame_offset, 0U);
  EXPECT_EQ(reading.segments[0].payload, hex("c0ffee00"));
}

TEST(PacketReader, GivesDatagramsAndSegmentsInTheCapturesOrder) {
  const TemporaryDirectory directory;
  const OctetBuffer datagram_frame = ethernet("0800", ipv4({}, udp(hex("01"))));
  const std::string path = directory.write(
      "t.pcap", pcap_file({}, {frame(tcp({}, hex("02"))), datagram_frame, hex("00"),
                               ethernet("0800", ipv4({.protocol = 1}, hex("08000000"))), frame6(tcp({}, {}))}));
  auto reader = PacketReader::open(path);
  ASSERT_TRUE(reader);
  Datagram datagram;
  Segment segment;
  std::vector<Transport> found;
  std::vector<std::uint64_t> frames;
  for (Transport next; (next = reader->next(datagram, segment)) != Transport::none;) {
    found.push_back(next);
    frames.push_back(next == Transport::udp ? datagram.frame : segment.frame);
    EXPECT_EQ(reader->frame().number, frames.back());
  }
  EXPECT_THAT(found, ElementsAre(Transport::tcp, Transport::udp, Transport::tcp));
  EXPECT_THAT(frames, ElementsAre(1, 2, 5));
  EXPECT_EQ(reader->counts().other, 1U);
  EXPECT_EQ(reader->counts().malformed, 1U);
  reader->report(5, flaw(Fault::tcp_beyond_end, 60, 7));
  ASSERT_EQ(reader->problems().size(), 2U);
  EXPECT_EQ(to_string(reader->problems()[1]),
            path + ": frame 5, octet 60: 7 octets follow the FIN of their TCP stream and are ignored");
}

}  // namespace
}  // namespace wirelaw::pcap::testing
