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
              ElementsAre("frame 1, octet 14: the header of a tag or tunnel has 4 octets, 3 are there"));
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

TEST(Link, WhatIsNoIpIsCountedAsOther) {
  const OctetBuffer arp = ethernet("0806", hex("0001 0800 0604 0001"));
  const OctetBuffer spanning_tree = ethernet("0026", hex("424203"));  // a length, not an EtherType
  EXPECT_EQ(read_frames(1, {arp, spanning_tree}).counts.other, 2U);
  EXPECT_EQ(read_frames(0, {hex("07000000 00")}).counts.other, 1U);
}

TEST(Link, HeaderThatEndsEarlyIsAProblem) {
  EXPECT_THAT(read_frames(1, {hex("0200000000020200000000010800"), hex("02000000000202000000000108"), {}}).problems,
              ElementsAre("frame 1, octet 14: an IPv4 header here has 20 octets, 0 are there",
                          "frame 2, octet 0: an Ethernet header has 14 octets, 13 are there",
                          "frame 3, octet 0: an Ethernet header has 14 octets, 0 are there"));
  EXPECT_THAT(read_frames(113, {hex("00")}).problems,
              ElementsAre("frame 1, octet 0: a Linux cooked header has 16 octets, 1 are there"));
  EXPECT_THAT(read_frames(276, {hex("0800")}).problems,
              ElementsAre("frame 1, octet 0: a Linux cooked header has 20 octets, 2 are there"));
  EXPECT_THAT(read_frames(0, {hex("020000")}).problems,
              ElementsAre("frame 1, octet 0: a BSD loopback header has 4 octets, 3 are there"));
  EXPECT_THAT(read_frames(101, {{}}).problems,
              ElementsAre("frame 1, octet 0: an IPv4 header here has 20 octets, 0 are there"));
}

TEST(Link, UnsupportedTypeIsNamed) {
  EXPECT_THAT(read_frames(147, {}).refusal, HasSubstr("no IP can be read from link type"));
  EXPECT_THAT(read_frames(105, {}).refusal, HasSubstr("IEEE802_11 (105)"));
}

}  // namespace
}  // namespace wirelaw::pcap::testing
