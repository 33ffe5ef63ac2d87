// SPDX-License-Identifier: Apache-2.0
#include "pcap/udp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;

OctetBuffer frame(const OctetBuffer& segment) {
  return ethernet("0800", ipv4({}, segment));
}

TEST(Udp, GivesPortsPayloadAndWhereItWas) {
  const Reading reading = read_frames(1, {frame(udp(hex("c0ffee"), -1, 21201, 40000)), frame(udp({}))});
  ASSERT_EQ(reading.datagrams.size(), 2U);
  const Datagram& first = reading.datagrams[0].datagram;
  EXPECT_EQ(to_string(first.source), "192.0.2.1:21201");
  EXPECT_EQ(to_string(first.destination), "192.0.2.2:40000");
  EXPECT_EQ(reading.datagrams[0].payload, hex("c0ffee"));
  EXPECT_EQ(first.wire_length, 3U);
  EXPECT_EQ(first.frame, 1U);
  EXPECT_EQ(first.time_ns, 1'600'000'000'123'456'000);
  EXPECT_EQ(reading.datagrams[1].datagram.frame, 2U);
  EXPECT_EQ(reading.datagrams[1].payload, OctetBuffer{});
}

TEST(Udp, LengthLessThanTheHeaderIsAProblem) {
  EXPECT_THAT(read_frames(1, {frame(udp(hex("c0ffee"), 7)), frame(udp(hex("c0ffee"), 0))}).problems,
              ElementsAre("frame 1, octet 38: UDP length 7 is less than the header's 8 octets",
                          "frame 2, octet 38: UDP length 0 is less than the header's 8 octets"));
}

TEST(Udp, LengthBeyondTheIpPayloadIsAProblem) {
  const Reading reading = read_frame(frame(udp(hex("c0ffee"), 12)) + hex("00000000"));
  EXPECT_THAT(reading.problems,
              ElementsAre("frame 1, octet 38: UDP length 12 is more than the IP payload's 11 octets"));
  EXPECT_EQ(reading.counts.malformed, 1U);
  EXPECT_EQ(reading.counts.datagrams, 0U);
}

TEST(Udp, LengthWithinTheIpPayloadEndsTheDatagram) {
  const Reading reading = read_frame(frame(udp(hex("c0ffee"), 9)));
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, hex("c0"));
}

TEST(Udp, HeaderThatEndsEarlyIsAProblem) {
  EXPECT_THAT(read_frame(frame(hex("1388 1770 0008 00"))).problems,
              ElementsAre("frame 1, octet 34: a UDP header needs 8 octets, but only 7 are present"));
}

TEST(Udp, MalformedFrameDoesNotStopTheRest) {
  const Reading reading = read_frames(1, {frame(hex("00")), frame(udp(hex("01"))), hex("00"), frame(udp(hex("02")))});
  ASSERT_EQ(reading.datagrams.size(), 2U);
  EXPECT_EQ(reading.datagrams[0].datagram.frame, 2U);
  EXPECT_EQ(reading.datagrams[1].datagram.frame, 4U);
  EXPECT_EQ(reading.counts.malformed, 2U);
}

TEST(Udp, PayloadCutBySnapLengthIsDeliveredAndAProblem) {
  OctetBuffer cut = frame(udp(hex("00010203040506070809")));
  const auto whole = static_cast<std::uint32_t>(cut.size());
  cut.resize(cut.size() - 6);
  const Reading reading = read_octets(pcap_file({}, std::vector<Record>{{.octets = cut, .wire_length = whole}}));
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, hex("00010203"));
  EXPECT_EQ(reading.datagrams[0].datagram.wire_length, 10U);
  EXPECT_EQ(reading.counts.payloads_cut, 1U);
  EXPECT_EQ(reading.counts.malformed, 0U);
  EXPECT_THAT(reading.problems,
              ElementsAre("frame 1, octet 42: 4 of 10 payload octets were captured (the snap length cut the frame); "
                          "capture with an unlimited snap length (tcpdump -s 0)"));
}

TEST(Udp, HeadersCutBySnapLengthAreAProblemOfTheCapture) {
  for (const std::size_t captured : {0U, 13U, 14U, 33U, 34U, 41U}) {
    OctetBuffer cut = frame(udp(hex("c0ffee")));
    const auto whole = static_cast<std::uint32_t>(cut.size());
    cut.resize(captured);
    const Reading reading = read_octets(pcap_file({}, std::vector<Record>{{.octets = cut, .wire_length = whole}}));
    EXPECT_EQ(reading.counts.headers_cut, 1U) << captured;
    EXPECT_EQ(reading.counts.malformed, 0U) << captured;
    ASSERT_EQ(reading.problems.size(), 1U) << captured;
    EXPECT_THAT(reading.problems[0], ::testing::HasSubstr("(the snap length cut the frame)"));
  }
}

TEST(Udp, ProblemsAreKeptUpToABoundAndCountedBeyond) {
  const std::vector<OctetBuffer> frames(250, hex("00"));
  const Reading reading = read_frames(1, frames);
  EXPECT_EQ(reading.problems.size(), kMaxProblems);
  EXPECT_EQ(reading.problem_count, 250U);
  EXPECT_EQ(read_octets(pcap_file({}, frames), {.reassembly = {}, .max_problems = 3}).problems.size(), 3U);
}

TEST(Udp, FrameOfTheDatagramCanBeLookedAt) {
  const TemporaryDirectory directory;
  const OctetBuffer octets = frame(udp(hex("c0ffee")));
  auto reader = PacketReader::open(directory.write("t.pcap", pcap_file({}, {octets})));
  ASSERT_TRUE(reader);
  Datagram datagram;
  Segment segment;
  ASSERT_EQ(reader->next(datagram, segment), Transport::udp);
  const Frame& found = reader->frame();
  EXPECT_EQ(OctetBuffer(found.octets.begin(), found.octets.end()), octets);
  EXPECT_EQ(found.octets.data() + datagram.frame_offset, datagram.payload.data());
  EXPECT_EQ(reader->reader().link_type(), 1);
  EXPECT_EQ(reader->counts().octets, octets.size());
}

}  // namespace
}  // namespace wirelaw::pcap::testing
