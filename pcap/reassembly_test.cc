// SPDX-License-Identifier: Apache-2.0
#include "pcap/reassembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pcap/ethernet.h"
#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 24 octets of UDP, with the payload 00 to 0f: three fragments of eight octets.
const OctetBuffer kPayload = hex("000102030405060708090a0b0c0d0e0f");
const OctetBuffer kUdp = udp(kPayload);

OctetBuffer part(unsigned offset, unsigned length, const OctetBuffer& whole = kUdp) {
  return {whole.begin() + offset, whole.begin() + offset + length};
}

OctetBuffer v4(unsigned offset, bool more, const OctetBuffer& octets, unsigned id = 1, unsigned protocol = 17) {
  return ethernet("0800", ipv4({.protocol = protocol, .id = id, .fragment_offset = offset, .more = more}, octets));
}

OctetBuffer v6(unsigned offset, bool more, const OctetBuffer& octets, unsigned next = 17) {
  return ethernet("86dd", ipv6({.next = 44}, fragment_header(next, offset, more, 0xabcd) + octets));
}

const OctetBuffer kFirst = v4(0, true, part(0, 8)), kMiddle = v4(8, true, part(8, 8)),
                  kLast = v4(16, false, part(16, 8));

void expect_whole(const Reading& reading, std::uint64_t frame) {
  ASSERT_EQ(reading.datagrams.size(), 1U) << ::testing::PrintToString(reading.problems);
  const auto& [datagram, payload] = reading.datagrams[0];
  EXPECT_EQ(payload, kPayload);
  EXPECT_EQ(datagram.wire_length, 16U);
  EXPECT_EQ(datagram.frame, frame);
  EXPECT_EQ(datagram.frame_offset, 0U);
  EXPECT_TRUE(datagram.reassembled);
  EXPECT_EQ(datagram.source.port, 5000);
  EXPECT_EQ(reading.counts.reassembled, 1U);
}

TEST(Reassembly, MakesAPacketOfItsFragmentsInEveryOrder) {
  std::vector<OctetBuffer> fragments{kFirst, kMiddle, kLast};
  std::sort(fragments.begin(), fragments.end());
  do {
    const Reading reading = read_frames(1, fragments);
    expect_whole(reading, 3);
    EXPECT_THAT(reading.problems, ElementsAre());
    EXPECT_EQ(reading.counts.fragments, 3U);
    EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 20);
  } while (std::next_permutation(fragments.begin(), fragments.end()));
}

TEST(Reassembly, MakesIpv6Packets) {
  const Reading reading = read_frames(1, {v6(16, false, part(16, 8)), v6(0, true, part(0, 16))});
  expect_whole(reading, 2);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_version, 6);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 48);
}

TEST(Reassembly, ReadsExtensionHeadersInsideTheFragments) {
  const OctetBuffer whole = hex("11 00 0104 00000000") + kUdp;  // destination options; next: UDP
  const Reading reading = read_frames(1, {v6(0, true, part(0, 16, whole), 60), v6(16, false, part(16, 16, whole), 60)});
  expect_whole(reading, 2);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 56);
}

TEST(Reassembly, RefusesFragmentsOfFragments) {
  const OctetBuffer whole = fragment_header(17, 0, true, 9) + kUdp;
  const Reading reading = read_frames(1, {v6(0, true, part(0, 16, whole), 44), v6(16, false, part(16, 16, whole), 44)});
  EXPECT_THAT(reading.problems, ElementsAre(HasSubstr("a reassembled IPv6 packet is a fragment again")));
}

TEST(Reassembly, InterleavedPacketsAreToldApart) {
  const OctetBuffer other = udp(hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"));
  const Reading reading =
      read_frames(1, {kFirst, v4(0, true, part(0, 16, other), 2), kMiddle, v4(16, false, part(16, 8, other), 2), kLast,
                      v4(0, true, hex("0000000000000000"), 1, 1)});
  ASSERT_EQ(reading.datagrams.size(), 2U);
  EXPECT_EQ(reading.datagrams[0].datagram.frame, 4U);
  EXPECT_EQ(reading.datagrams[1].payload, kPayload);
  EXPECT_THAT(reading.problems, ElementsAre("frame 6, octet 0: the fragments that begin here (8 octets) were never "
                                            "completed before the capture ended; capture where every fragment passes, "
                                            "and check for lost frames"));
  EXPECT_EQ(reading.counts.abandoned, 1U);
}

// The same fragments pass two networks, at the same time.
TEST(Reassembly, KeepsInterfacesApartIfAsked) {
  for (const bool is_apart : {false, true}) {
    Reassembly reassembly;
    if (is_apart) reassembly.keep_interfaces_apart();
    ProblemLog log("two", 10);
    std::vector<std::uint32_t> complete_on;
    for (const OctetBuffer& frame : {kFirst, kMiddle, kLast})
      for (const std::uint32_t interface : {0U, 2U}) {
        IpPacket packet;
        ASSERT_FALSE(
            decode_ip(frame, static_cast<std::uint32_t>(frame.size()), {kEtherTypeIpv4, kEthernetHeader}, packet));
        packet.interface = interface;
        bool complete = false;
        ASSERT_FALSE(reassembly.add(packet, log, complete));
        if (complete) complete_on.push_back(interface);
      }
    EXPECT_EQ(complete_on, is_apart ? (std::vector<std::uint32_t>{0, 2}) : std::vector<std::uint32_t>{0});
  }
}

TEST(Reassembly, PassesOverExactCopies) {
  const Reading reading = read_frames(1, {kFirst, kFirst, kLast, kLast, kFirst, kMiddle});
  expect_whole(reading, 6);
  EXPECT_THAT(reading.problems, ElementsAre());
}

TEST(Reassembly, DropsThePacketWhoseFragmentsOverlap) {
  const OctetBuffer changed = v4(0, true, hex("ffffffffffffffff"));
  const OctetBuffer longer = v4(0, true, part(0, 16));  // the same octets, but no copy
  const OctetBuffer inside = v4(8, true, part(8, 8));
  for (const auto& fragments : {std::vector{kFirst, changed, kMiddle, kLast},
                                {kFirst, longer, kMiddle, kLast},
                                {longer, inside, kLast},
                                {kMiddle, longer, kFirst, kLast}}) {
    const Reading reading = read_frames(1, fragments);
    EXPECT_EQ(reading.datagrams.size(), 0U) << "whatever follows is swallowed";
    ASSERT_EQ(reading.problems.size(), 1U);
    EXPECT_THAT(reading.problems[0], HasSubstr("frame 2, octet 34: an IP fragment overlaps the one at octet"));
    EXPECT_THAT(reading.problems[0], HasSubstr("RFC 5722"));
  }
}

TEST(Reassembly, DropsThePacketWhoseFragmentsDisagreeAboutTheEnd) {
  const OctetBuffer early = v4(8, false, part(8, 8));
  const OctetBuffer beyond = v4(24, true, part(0, 8));
  const OctetBuffer last_with_more = v4(16, true, part(16, 8));
  for (const auto& fragments : {std::vector{kLast, early, kFirst}, {kLast, beyond}, {kLast, last_with_more}}) {
    const Reading reading = read_frames(1, fragments);
    EXPECT_EQ(reading.datagrams.size(), 0U);
    ASSERT_EQ(reading.problems.size(), 1U);
    EXPECT_THAT(reading.problems[0], HasSubstr("IP fragments disagree about where the packet ends"));
  }
}

TEST(Reassembly, FragmentInTheMiddleHasAMultipleOfEightOctets) {
  EXPECT_THAT(read_frame(v4(0, true, part(0, 12))).problems,
              ElementsAre("frame 1, octet 34: an IP fragment of 12 octets is not the last, and its "
                          "length is not a multiple of 8"));
}

TEST(Reassembly, RefusesWhatEndsBeyondALongestPacket) {
  EXPECT_THAT(read_frames(1, {v4(65512, false, part(0, 4)), v6(65528, false, part(0, 8))}).problems,
              ElementsAre("frame 1, octet 34: an IP fragment ends at octet 65516, beyond the 65515 that a packet can "
                          "have",
                          "frame 2, octet 62: an IP fragment ends at octet 65536, beyond the 65535 that a packet can "
                          "have"));
}

TEST(Reassembly, RefusesFragmentsCutBySnapLength) {
  OctetBuffer cut = kFirst;
  cut.resize(cut.size() - 1);
  const Reading reading = read_octets(pcap_file({}, std::vector<Record>{{.octets = cut, .wire_length = 42}}));
  ASSERT_EQ(reading.problems.size(), 1U);
  EXPECT_THAT(reading.problems[0], HasSubstr("7 of an IP fragment's 8 octets were captured (the snap length"));
}

TEST(Reassembly, EmptyFragmentSaysNothing) {
  const Reading reading = read_frames(1, {v4(8, true, {}), kFirst, kMiddle, kLast});
  expect_whole(reading, 4);
}

TEST(Reassembly, LongestDatagramIsMadeWhole) {
  const OctetBuffer whole = udp(OctetBuffer(65507, 0x5a));
  std::vector<OctetBuffer> fragments;
  for (unsigned at = 0; at < whole.size(); at += 1480) {
    const unsigned length = std::min<unsigned>(1480, static_cast<unsigned>(whole.size()) - at);
    fragments.push_back(v4(at, at + length < whole.size(), part(at, length, whole)));
  }
  const Reading reading = read_frames(1, fragments);
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, OctetBuffer(65507, 0x5a));
}

TEST(Reassembly, ForgetsWhatIsNotCompletedInTime) {
  const OctetBuffer octets = pcap_file({}, std::vector<Record>{{.octets = kFirst, .seconds = 1000, .fraction = 0},
                                                               {.octets = kMiddle, .seconds = 1030, .fraction = 1},
                                                               {.octets = kLast, .seconds = 1031, .fraction = 0}});
  const Reading reading = read_octets(octets);
  EXPECT_EQ(reading.datagrams.size(), 0U);
  ASSERT_EQ(reading.problems.size(), 2U);
  EXPECT_THAT(reading.problems[0],
              HasSubstr("frame 1, octet 0: the fragments that begin here (by now 8 octets) were not completed within "
                        "30000 ms"));
  EXPECT_THAT(reading.problems[1], HasSubstr("frame 2, octet 0: the fragments that begin here (16 octets) were never"));
  EXPECT_EQ(reading.counts.abandoned, 2U);
}

TEST(Reassembly, TimeMayRunBackwards) {
  const OctetBuffer octets = pcap_file({}, std::vector<Record>{{.octets = kFirst, .seconds = 2000},
                                                               {.octets = kMiddle, .seconds = 10},
                                                               {.octets = kLast, .seconds = 2001}});
  expect_whole(read_octets(octets), 3);
}

TEST(Reassembly, TimesAtBothEndsOfTheScaleDoNotOverflow) {
  Reassembly reassembly;
  ProblemLog log("f");
  bool complete = false;
  IpPacket packet;
  const OctetBuffer octets(8);
  for (const std::int64_t time : {INT64_MIN, INT64_MAX, INT64_MIN}) {
    packet.version = 4;
    packet.header_octets = 20;
    packet.payload = octets;
    packet.wire_length = 8;
    packet.fragment = {true, true, 0, 1};
    packet.time_ns = time;
    EXPECT_FALSE(reassembly.add(packet, log, complete));
  }
  EXPECT_EQ(log.count(), 1U) << "from the beginning of time to its end is too long, backwards is not";
}

TEST(Reassembly, FloodOfPacketsStaysWithinItsBounds) {
  const ReassemblyLimits limits{.max_packets = 10, .max_octets = std::size_t{1} << 20, .timeout_ns = 1'000'000'000};
  Reassembly reassembly(limits);
  ProblemLog log("f");
  const OctetBuffer octets(8);
  for (std::uint32_t id = 0; id < 1000; ++id) {
    IpPacket packet;
    packet.frame = id + 1;
    packet.version = 4;
    packet.header_octets = 20;
    packet.payload = octets;
    packet.wire_length = 8;
    packet.fragment = {true, true, 8, id};
    bool complete = false;
    EXPECT_FALSE(reassembly.add(packet, log, complete));
    EXPECT_LE(reassembly.packets(), 10U);
    EXPECT_FALSE(complete);
  }
  EXPECT_EQ(reassembly.abandoned(), 990U);
  EXPECT_EQ(log.count(), 990U);
  EXPECT_THAT(log.problems()[0].message, HasSubstr("gave way to newer ones"));
  EXPECT_EQ(log.problems()[0].frame, 1U) << "the oldest goes first";
  reassembly.finish(log);
  EXPECT_EQ(reassembly.packets(), 0U);
  EXPECT_EQ(reassembly.octets(), 0U) << "the account is balanced";
}

TEST(Reassembly, FloodOfOctetsStaysWithinItsBounds) {
  const ReassemblyLimits limits{.max_packets = 1000, .max_octets = 100'000, .timeout_ns = 1'000'000'000};
  Reassembly reassembly(limits);
  ProblemLog log("f");
  const OctetBuffer octets(8000);
  for (std::uint32_t id = 0; id < 100; ++id) {
    for (std::uint32_t offset = 8000; offset < 24000; offset += 8000) {
      IpPacket packet;
      packet.version = 6;
      packet.payload = octets;
      packet.wire_length = 8000;
      packet.fragment = {true, true, offset, id};
      bool complete = false;
      EXPECT_FALSE(reassembly.add(packet, log, complete));
      EXPECT_LE(reassembly.octets(), 100'000U);
    }
  }
  EXPECT_GT(reassembly.abandoned(), 90U);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
