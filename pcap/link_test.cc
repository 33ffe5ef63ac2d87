// SPDX-License-Identifier: Apache-2.0
#include "pcap/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pcap/carriers.h"
#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const OctetBuffer kPayload = hex("c0ffee");
const OctetBuffer kV4 = ipv4({}, udp(kPayload));
const OctetBuffer kV6 = ipv6({}, udp(kPayload));

void expect_payload(int link_type, const OctetBuffer& header, const OctetBuffer& packet) {
  const Reading reading = read_frames(link_type, {header + packet});
  ASSERT_EQ(reading.datagrams.size(), 1U) << "link type " << link_type;
  const auto& [datagram, payload] = reading.datagrams[0];
  EXPECT_EQ(payload, kPayload);
  EXPECT_EQ(to_string(datagram.source), &packet == &kV6 ? "[2001:db8::1]:5000" : "192.0.2.1:5000");
  EXPECT_EQ(datagram.frame_offset, header.size() + packet.size() - kPayload.size());
  EXPECT_THAT(reading.problems, ElementsAre());
}

TEST(Link, EthernetCarriesBothVersions) {
  expect_payload(1, ethernet("0800", {}), kV4);
  expect_payload(1, ethernet("86dd", {}), kV6);
}

TEST(Link, VlanTagsArePassedOver) {
  expect_payload(1, ethernet("8100", hex("0064 0800")), kV4);            // 802.1Q, VLAN 100
  expect_payload(1, ethernet("88a8", hex("0001 8100 0064 86dd")), kV6);  // 802.1ad, QinQ
  expect_payload(1, ethernet("9100", hex("0001 9100 0002 8100 0003 0800")), kV4);
}

TEST(Link, VlanTagsHaveABound) {
  OctetBuffer tags;
  for (std::size_t i = 1; i < kMaxCarriers; ++i) tags = tags + hex("0001 8100");
  expect_payload(1, ethernet("8100", tags + hex("0001 0800")), kV4);
  const Reading reading = read_frame(ethernet("8100", tags + hex("0001 8100 0001 0800") + kV4));
  EXPECT_THAT(reading.problems, ElementsAre("frame 1, octet 78: there are more than 16 tags and tunnels"));
}

TEST(Link, VlanTagThatEndsEarlyIsAProblem) {
  const Reading reading = read_frame(ethernet("8100", hex("0064 08")));
  EXPECT_THAT(reading.problems,
              ElementsAre("frame 1, octet 14: the header of a tag or tunnel needs 4 octets, but only 3 are present"));
}

TEST(Link, LinuxCookedCarriesBothVersions) {
  const OctetBuffer v1 = hex("0000 0001 0006 020000000001 0000");  // to us, ARPHRD_ETHER, a MAC address
  expect_payload(113, v1 + hex("0800"), kV4);
  expect_payload(113, v1 + hex("86dd"), kV6);
  expect_payload(113, v1 + hex("8100 0064 0800"), kV4);
  const OctetBuffer v2 = hex("0000 00000002 0001 00 06 020000000001 0000");
  expect_payload(276, hex("0800") + v2, kV4);
  expect_payload(276, hex("86dd") + v2, kV6);
}

TEST(Link, RawIpCarriesEitherVersion) {
  for (const int link_type : {101, 12, 14}) {
    expect_payload(link_type, {}, kV4);
    expect_payload(link_type, {}, kV6);
  }
  expect_payload(228, {}, kV4);
  expect_payload(229, {}, kV6);
}

TEST(Link, RawIpv4HoldsNoIpv6) {
  EXPECT_THAT(read_frames(228, {kV6}).problems,
              ElementsAre("frame 1, octet 0: the IP version is 6, the link layer announces 4"));
  EXPECT_THAT(read_frames(229, {kV4}).problems,
              ElementsAre("frame 1, octet 0: the IP version is 4, the link layer announces 6"));
}

TEST(Link, LoopbackFamilyStandsInEitherByteOrder) {
  for (const int link_type : {0, 108}) {
    expect_payload(link_type, hex("02000000"), kV4);
    expect_payload(link_type, hex("00000002"), kV4);
    for (const char* family : {"18000000", "0000001c", "1e000000"}) expect_payload(link_type, hex(family), kV6);
  }
}

TEST(Link, SerialLinesCarryBothVersions) {
  for (const int link_type : {9, 50}) {
    expect_payload(link_type, hex("ff03 0021"), kV4);
    expect_payload(link_type, hex("0057"), kV6);
    expect_payload(link_type, hex("21"), kV4);  // a compressed protocol field
  }
  expect_payload(50, hex("0f00 0800"), kV4);
  expect_payload(104, hex("0f00 86dd"), kV6);
  expect_payload(204, hex("01 ff03 0021"), kV4);
  expect_payload(205, hex("00 0f00 0800"), kV4);
  expect_payload(51, hex("1100 0007") + be16(kV4.size() + 2) + hex("0021"), kV4);
}

TEST(Link, WirelessDataFramesCarryBothVersions) {
  const OctetBuffer addresses = hex("0000 020000000001 020000000002 020000000003 0000");
  const OctetBuffer snap4 = hex("aaaa03 000000 0800"), snap6 = hex("aaaa03 000000 86dd");
  expect_payload(105, hex("0802") + addresses + snap4, kV4);
  expect_payload(105, hex("0801") + addresses + snap6, kV6);
  expect_payload(105, hex("8802") + addresses + hex("0000") + snap4, kV4);               // QoS
  expect_payload(105, hex("8803") + addresses + hex("020000000004 0000") + snap4, kV4);  // four addresses
  expect_payload(105, hex("8882") + addresses + hex("0000 00000000") + snap4, kV4);      // high throughput
  expect_payload(127, hex("0000 0800 00000000 0802") + addresses + snap4, kV4);          // radiotap
  expect_payload(127, hex("0000 0900 02000000 20 8802") + addresses + hex("0000 0000") + snap4, kV4);  // padded
  const Reading reading = read_frames(
      105, {hex("8000") + addresses, hex("0842") + addresses + snap4 + kV4, hex("d400") + hex("0000 020000000001")});
  EXPECT_EQ(reading.counts.unread.text(), "1 frame of a protocol without an EtherType") << "the encrypted one";
  EXPECT_EQ(reading.counts.other, 3U);
}

TEST(Link, HeadersOfCaptureToolsNameTheLinkBehindThem) {
  const OctetBuffer frame = ethernet("0800", {});
  expect_payload(192, hex("00 00 0800 01000000") + frame, kV4);         // PPI
  expect_payload(258, hex("0c000000 01000000 01000000") + frame, kV4);  // PKTAP
  expect_payload(240, hex("00000000") + frame, kV4);                    // netANALYZER
  expect_payload(241, hex("00000000 55555555555555d5") + frame, kV4);   // transparent
  expect_payload(274, hex("55555555555555d5") + frame, kV4);            // mpacket
  expect_payload(282, hex("00000000") + frame, kV4);                    // Broadcom
  expect_payload(281, hex("020000000001 020000000002 00000000 0800"), kV4);
  expect_payload(284, hex("020000000001 020000000002 40000000 0800"), kV4);  // DSA
  expect_payload(285, hex("020000000001 020000000002 dada000040000000 86dd"), kV6);
  expect_payload(239, hex("02 00 0000 0500 0a00 41000000") + be16(0x0800) + hex("0900"), kV4);  // NFLOG, payload last
  expect_payload(239, hex("0a 00 0000") + be16(4 + kV6.size()) + hex("0009"), kV6);  // from a big-endian machine
  expect_payload(239, hex("07 00 0000 0800 0100 0800 03 00 0500 0a00 41000000") + be16(0x0800) + hex("0900"), kV4);
  expect_payload(239, hex("07 00 0000 0800 0100 86dd 03 00") + be16(0x0800) + hex("0900"), kV6);  // from a bridge
}

// Apple's tcpdump once wrote PKTAP with a number that anybody may use for a link of their own.
TEST(Link, NumberOfDltUser2IsPktapIfTheHeaderProvesIt) {
  const OctetBuffer frame = ethernet("0800", {});
  const auto header = [](const char* length, const char* next, const char* link, const char* name) {
    OctetBuffer octets = hex(length) + hex(next) + hex(link) + hex(name);
    octets.resize(108);
    return octets;
  };
  const char* const length = "6c000000";
  const char* const en0 = "656e3000";
  expect_payload(149, header(length, "01000000", "01000000", en0) + frame, kV4);
  expect_payload(149, header(length, "01000000", "0c000000", "7574756e3000"), kV6);  // raw IP of utun0
  OctetBuffer longer = header("9c000000", "01000000", "01000000", en0);
  longer.resize(156);
  expect_payload(149, longer + frame, kV4);
  for (const OctetBuffer& other :
       {header("6b000000", "01000000", "01000000", en0),  // too short
        header("6c000100", "01000000", "01000000", en0),  // longer than the frame
        header(length, "00000000", "01000000", en0),      // no packet
        header(length, "01000000", "93000000", en0),      // a link that is not read
        header(length, "01000000", "95000000", en0),      // itself
        header(length, "01000000", "01000100", en0), header(length, "01000000", "01000000", "00000000"),  // no name
        header(length, "01000000", "01000000", "656e0030"),  // octets after the name
        header(length, "01000000", "01000000", "65ff3000"),  // no text
        hex("45000054"), OctetBuffer()}) {
    const Reading reading = read_frames(149, {other + (other.empty() ? OctetBuffer() : frame + kV4)});
    EXPECT_EQ(reading.datagrams.size(), 0U);
    EXPECT_EQ(reading.counts.unread.text(), "1 frame of link type 149 (DLT_USER2) without PKTAP headers");
  }
}

TEST(Link, RecordsOfCaptureCardsHaveKinds) {
  const OctetBuffer times = hex("0000000000000000"), rest = hex("00 0000 0000 0000");
  const OctetBuffer frame = hex("0000") + ethernet("0800", {});
  const auto record = [&](const char* type) { return times + hex(type) + rest; };
  expect_payload(197, record("02") + frame, kV4);
  expect_payload(197, record("82") + hex("8000000000000000 0000000000000000") + frame, kV4);  // two extension headers
  expect_payload(197, record("01") + hex("ff03 0021"), kV4);
  for (const char* type : {"01", "0a", "0f", "13"}) expect_payload(197, record(type) + hex("0f00 86dd"), kV6);
  for (const char* type : {"05", "11"}) {  // the channel number comes first
    expect_payload(197, record(type) + hex("00000001 0f00 0800"), kV4);
    expect_payload(197, record(type) + hex("00000001 ff03 0057"), kV6);
  }
  expect_payload(197, record("16"), kV4);
  expect_payload(197, record("17"), kV6);
  EXPECT_EQ(read_frames(197, {record("1b")}).counts.unread.suspects(), 0U);
  EXPECT_EQ(read_frames(197, {record("7f")}).counts.unread.suspects(), 1U);
}

// The contents of the Base Transport Header, and what follows it, are not checked here.
TEST(Link, InfinibandIsReadAsRoceIs) {
  const OctetBuffer transport = hex("64 00 ffff 00000001 80000000 00000000 00000001 c0ffee00");
  const OctetBuffer global = hex("60000000") + be16(transport.size()) + hex("1b 40") +
                             hex("00000000000000000000ffffc0000201 fe80000000000000020000fffe000002");
  const auto expect = [&](int link_type, const OctetBuffer& header, std::string_view source, std::string_view to) {
    const Reading reading = read_frames(link_type, {header + transport + hex("beef")});  // with a variant CRC
    ASSERT_EQ(reading.datagrams.size(), 1U);
    EXPECT_EQ(to_string(reading.datagrams[0].datagram.source), source);
    EXPECT_EQ(to_string(reading.datagrams[0].datagram.destination), to);
    EXPECT_EQ(reading.datagrams[0].payload, transport);
    EXPECT_EQ(reading.datagrams[0].datagram.frame_offset, header.size());
    EXPECT_THAT(reading.problems, ElementsAre());
  };
  const std::string_view from = "192.0.2.1:4791", to = "[fe80::200:ff:fe00:2]:4791";
  expect(1, ethernet("8915", global), from, to);
  expect(1, ethernet("8100", hex("0064 8915") + global), from, to);
  const auto local = [&](std::string_view next, std::size_t octets) {
    return hex(next) + hex("0005") + be16(octets / 4) + hex("0007");
  };
  expect(247, local("0003", 8 + global.size() + transport.size()) + global, from, to);
  expect(247, local("0002", 8 + transport.size()), "[fe80::7]:4791", "[fe80::5]:4791");
  expect(197, hex("0000000000000000 15 00 0000 0000 0000") + local("0002", 8 + transport.size()), "[fe80::7]:4791",
         "[fe80::5]:4791");
}

TEST(Link, WhatIsNoIpIsCountedAsOther) {
  const OctetBuffer arp = ethernet("0806", hex("0001 0800 0604 0001"));
  const OctetBuffer spanning_tree = ethernet("0026", hex("424203"));  // a length, not an EtherType
  EXPECT_EQ(read_frames(1, {arp, spanning_tree}).counts.other, 2U);
  EXPECT_EQ(read_frames(0, {hex("07000000 00")}).counts.other, 1U);
}

TEST(Link, HeaderThatEndsEarlyIsAProblem) {
  EXPECT_THAT(read_frames(1, {hex("0200000000020200000000010800"), hex("02000000000202000000000108"), {}}).problems,
              ElementsAre("frame 1, octet 14: an IPv4 header here needs 20 octets, but only 0 are present",
                          "frame 2, octet 0: an Ethernet header needs 14 octets, but only 13 are present",
                          "frame 3, octet 0: an Ethernet header needs 14 octets, but only 0 are present"));
  EXPECT_THAT(read_frames(113, {hex("00")}).problems,
              ElementsAre("frame 1, octet 0: a Linux cooked header needs 16 octets, but only 1 are present"));
  EXPECT_THAT(read_frames(276, {hex("0800")}).problems,
              ElementsAre("frame 1, octet 0: a Linux cooked header needs 20 octets, but only 2 are present"));
  EXPECT_THAT(read_frames(0, {hex("020000")}).problems,
              ElementsAre("frame 1, octet 0: a BSD loopback header needs 4 octets, but only 3 are present"));
  EXPECT_THAT(read_frames(101, {{}}).problems,
              ElementsAre("frame 1, octet 0: an IPv4 header here needs 20 octets, but only 0 are present"));
}

TEST(Link, UnsupportedTypeIsNamed) {
  EXPECT_THAT(read_frames(147, {}).refusal, HasSubstr("no IP can be read from link type"));
  EXPECT_THAT(read_frames(6, {}).refusal, HasSubstr("IEEE802 (6)"));
}

}  // namespace
}  // namespace wirelaw::pcap::testing
