// SPDX-License-Identifier: Apache-2.0
#include "pcap/carriers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "pcap/read_all.h"
#include "pcap/tshark.h"
#include "pcap/wrapping.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const OctetBuffer kPayload = text("a payload that has more octets than the padding of a frame");
const OctetBuffer kV4 = ethernet("0800", ipv4({}, udp(kPayload)));
const OctetBuffer kV6 = ethernet("86dd", ipv6({}, udp(kPayload)));

// Returns the carriers that the reader reports for the only packet of a capture.
std::string carriers_of(const OctetBuffer& frame) {
  const TemporaryDirectory directory;
  auto reader = PacketReader::open(directory.write("t.pcap", pcap_file({}, std::vector<OctetBuffer>{frame})));
  Datagram datagram;
  Segment segment;
  if (!reader || reader->next(datagram, segment) != Transport::udp) return "no datagram";
  return datagram.carriers == nullptr ? "" : datagram.carriers->text();
}

void expect_inner(const OctetBuffer& frame, std::string_view source) {
  const Reading reading = read_frame(frame);
  ASSERT_EQ(reading.datagrams.size(), 1U);
  const auto& [datagram, payload] = reading.datagrams[0];
  EXPECT_EQ(payload, kPayload);
  EXPECT_EQ(to_string(datagram.source), source);
  EXPECT_TRUE(std::equal(kPayload.begin(), kPayload.end(), frame.begin() + datagram.frame_offset))
      << "the offset is that of the frame: " << datagram.frame_offset;
  EXPECT_THAT(reading.problems, IsEmpty());
}

class EachCarrier : public ::testing::TestWithParam<Wrapping> {};

TEST_P(EachCarrier, CarriesBothVersionsOfIp) {
  expect_inner(GetParam().wrap(kV4), "192.0.2.1:5000");
  expect_inner(GetParam().wrap(kV6), "[2001:db8::1]:5000");
}

TEST_P(EachCarrier, IsNamed) {
  EXPECT_EQ(carriers_of(GetParam().wrap(kV4)), GetParam().carriers);
}

TEST_P(EachCarrier, CarriesEachOtherCarrier) {
  for (const Wrapping& inner : wrappings()) {
    SCOPED_TRACE(inner.name);
    const OctetBuffer wrapped = inner.wrap(kV4);
    if (carries(GetParam(), wrapped)) expect_inner(GetParam().wrap(wrapped), "192.0.2.1:5000");
  }
}

TEST_P(EachCarrier, IsCutAnywhereWithoutHarm) {
  const OctetBuffer frame = GetParam().wrap(kV4);
  for (std::size_t kept = 0; kept < frame.size(); ++kept) {
    const OctetBuffer cut(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(kept));
    const Record record{.octets = cut, .wire_length = static_cast<std::uint32_t>(frame.size())};
    const Reading reading = read_octets(pcap_file({}, std::vector<Record>{record}));
    EXPECT_EQ(reading.counts.malformed, 0U) << "after " << kept << " octets: " << reading.problems.front();
  }
}

INSTANTIATE_TEST_SUITE_P(Carriers, EachCarrier, ::testing::ValuesIn(wrappings().begin(), wrappings().end()),
                         [](const auto& info) { return std::string(info.param.name); });

// --- what Wireshark finds

// Frames of UDP and TCP, in both versions of IP.
std::vector<OctetBuffer> inner_frames() {
  const OctetBuffer segment = tcp({}, kPayload);
  return {kV4, kV6, ethernet("0800", ipv4({.protocol = 6}, segment)), ethernet("86dd", ipv6({.next = 6}, segment))};
}

// The ports of the innermost packet of each frame: "udp 5000 6000".
std::vector<std::string> ours(const std::string& path) {
  const Reading reading = read_path(path);
  std::vector<std::string> packets(reading.counts.frames);
  for (const auto& [datagram, payload] : reading.datagrams)
    packets[datagram.frame - 1] = fmt::format("udp {} {}", datagram.source.port, datagram.destination.port);
  for (const auto& [segment, payload] : reading.segments)
    packets[segment.frame - 1] = fmt::format("tcp {} {}", segment.source.port, segment.destination.port);
  return packets;
}

// Returns the carriers that tshark shows, with options for those that it does not decode by default.
std::vector<std::string> theirs(const std::string& path) {
  std::vector<std::string> packets;
  std::istringstream lines(run("tshark -n -d udp.port==8472,vxlan -d ethertype==0x9200,vlan -r " + path +
                               " -T fields -E occurrence=l -E separator=/t -e frame.protocols -e udp.srcport"
                               " -e udp.dstport -e tcp.srcport -e tcp.dstport 2>/dev/null"));
  for (std::string line; std::getline(lines, line);) {
    std::array<std::string, 5> fields;
    std::istringstream columns(line);
    for (std::string& field : fields) std::getline(columns, field, '\t');
    const bool is_tcp = fields[0].find(":tcp") != std::string::npos;
    packets.push_back(is_tcp ? "tcp " + fields[3] + " " + fields[4] : "udp " + fields[1] + " " + fields[2]);
  }
  return packets;
}

// tshark needs an option for each session that tells whether there is a control word or a cookie.
bool needs_to_be_told(std::string_view carrier) {
  return carrier.starts_with("MplsPseudowire") || carrier.starts_with("L2tpV3");
}

// tshark 4.0 reads neither GUE nor the next protocol of LISP.
bool is_unknown_to_tshark(std::string_view carrier) {
  return carrier.starts_with("Gue") || carrier == "LispGpe";
}

TEST(Carriers, CarryThePacketsThatWiresharkFinds) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  std::vector<OctetBuffer> frames;
  std::vector<std::string> names;
  for (const Wrapping& carrier : wrappings()) {
    if (needs_to_be_told(carrier.name) || is_unknown_to_tshark(carrier.name)) continue;
    for (const OctetBuffer& inner : inner_frames()) {
      frames.push_back(carrier.wrap(inner));
      names.emplace_back(carrier.name);
    }
  }
  const TemporaryDirectory directory;
  const std::string path = directory.write("t.pcap", pcap_file({}, frames));
  const std::vector<std::string> here = ours(path), there = theirs(path);
  ASSERT_EQ(here.size(), frames.size());
  ASSERT_EQ(there.size(), frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(here[i], there[i]) << names[i];
}

TEST(Carriers, PlainFramesHaveNone) {
  EXPECT_EQ(carriers_of(kV4), "");
  EXPECT_EQ(carriers_of(kV6), "");
}

TEST(Carriers, PortAloneIsNoTunnel) {
  for (const unsigned port : {4789U, 8472U, 4790U, 6081U, 2152U, 1701U, 37008U, 6635U}) {
    SCOPED_TRACE(port);
    for (const OctetBuffer& payload : {kPayload, hex("08000000 00002a00"), hex("0800"), hex("")}) {
      const Reading reading = read_frame(ethernet("0800", ipv4({}, udp(payload, -1, 5000, port))));
      ASSERT_EQ(reading.datagrams.size(), 1U);
      EXPECT_EQ(reading.datagrams[0].payload, payload);
      EXPECT_THAT(reading.problems, IsEmpty());
    }
  }
}

TEST(Carriers, FragmentsOfTheOuterPacketArePutTogether) {
  const OctetBuffer tunnel = udp(hex("08000000 00002a00") + kV4, -1, 49152, 4789);
  const auto half = static_cast<std::ptrdiff_t>(tunnel.size() / 16 * 8);
  const OctetBuffer first(tunnel.begin(), tunnel.begin() + half), second(tunnel.begin() + half, tunnel.end());
  const Reading reading =
      read_frames(1, {ethernet("0800", ipv4({.more = true}, first)),
                      ethernet("0800", ipv4({.fragment_offset = static_cast<unsigned>(half)}, second))});
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
  EXPECT_TRUE(reading.datagrams[0].datagram.reassembled);
  EXPECT_EQ(reading.datagrams[0].datagram.frame, 2U);
  EXPECT_EQ(to_string(reading.datagrams[0].datagram.destination), "192.0.2.2:6000");
}

TEST(Carriers, FragmentsOfTheInnerPacketArePutTogether) {
  const OctetBuffer datagram = udp(kPayload);
  const OctetBuffer first(datagram.begin(), datagram.begin() + 16), second(datagram.begin() + 16, datagram.end());
  const auto carried = [](const OctetBuffer& packet) { return ethernet("8847", hex("00010140") + packet); };
  const Reading reading =
      read_frames(1, {carried(ipv4({.more = true}, first)), carried(ipv4({.fragment_offset = 16}, second))});
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
}

TEST(Carriers, AuthenticationHeaderIsPassedOverInIpv4) {
  const OctetBuffer header = hex("11 04 0000 00000001 00000001 000102030405060708090a0b");
  expect_inner(ethernet("0800", ipv4({.protocol = 51}, header + udp(kPayload))), "192.0.2.1:5000");
}

// The Authentication Header is in the first fragment, and no part of the IPv4 header.
TEST(Carriers, AuthenticationHeaderIsPassedOverInFragmentsOfIpv4) {
  const OctetBuffer whole = hex("11 04 0000 00000001 00000001 000102030405060708090a0b") + udp(kPayload);
  for (const unsigned octets : {8U, 24U, 32U, 64U}) {
    SCOPED_TRACE(octets);
    std::vector<OctetBuffer> frames;
    for (unsigned at = 0; at < whole.size(); at += octets) {
      const auto end = std::min<std::size_t>(at + octets, whole.size());
      const OctetBuffer fragment(whole.begin() + at, whole.begin() + static_cast<std::ptrdiff_t>(end));
      frames.push_back(ethernet(
          "0800", ipv4({.protocol = 51, .id = 7, .fragment_offset = at, .more = end < whole.size()}, fragment)));
    }
    const Reading reading = read_frames(1, frames);
    ASSERT_EQ(reading.datagrams.size(), 1U);
    EXPECT_EQ(reading.datagrams[0].payload, kPayload);
    EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 20U);
    EXPECT_EQ(reading.counts.unread.suspects(), 0U);
  }
}

TEST(Carriers, AuthenticationHeaderIsNoPartOfTheIpv4Header) {
  const OctetBuffer header = hex("11 04 0000 00000001 00000001 000102030405060708090a0b");
  const Reading ipv4_reading = read_frame(ethernet("0800", ipv4({.protocol = 51}, header + udp(kPayload))));
  ASSERT_EQ(ipv4_reading.datagrams.size(), 1U);
  EXPECT_EQ(ipv4_reading.datagrams[0].datagram.ip_header_octets, 20U);
  EXPECT_TRUE(ipv4_reading.datagrams[0].datagram.headers.empty()) << "they are not adjacent";
  const Reading ipv6_reading = read_frame(ethernet("86dd", ipv6({.next = 51}, header + udp(kPayload))));
  ASSERT_EQ(ipv6_reading.datagrams.size(), 1U);
  EXPECT_EQ(ipv6_reading.datagrams[0].datagram.ip_header_octets, 40U + header.size()) << "an extension header";
}

TEST(Carriers, ReservedBitsOfVxlanMayBeSet) {
  for (const char* header : {"08200000 00002a85", "48000000 00002a00", "08000001 00002a00", "c8ffffff 00002aff"})
    expect_inner(ethernet("0800", ipv4({}, udp(hex(header) + kV4, -1, 50000, 4789))), "192.0.2.1:5000");
}

TEST(Carriers, ReservedBitsOfAControlWordMayBeSet) {
  for (const char* word : {"00000000", "002a0001", "0fff0000"})
    expect_inner(ethernet("8847", hex("00010140") + hex(word) + kV6), "[2001:db8::1]:5000");
}

TEST(Carriers, ProtocolOfPppoeMayHaveOneOctet) {
  for (const char* header : {"1100 0007 0000 21", "1100 0007 0000 0021"})
    expect_inner(ethernet("8864", hex(header) + ipv4({}, udp(kPayload))), "192.0.2.1:5000");
  expect_inner(ethernet("8864", hex("1100 0007 0000 57") + ipv6({}, udp(kPayload))), "[2001:db8::1]:5000");
}

TEST(Carriers, JumboFrameHasLlcWithoutALength) {
  expect_inner(ethernet("8870", hex("aaaa03 000000 0800") + ipv4({}, udp(kPayload))), "192.0.2.1:5000");
  expect_inner(ethernet("8100", hex("0005 8870 aaaa03 000000 86dd") + ipv6({}, udp(kPayload))), "[2001:db8::1]:5000");
}

TEST(Carriers, JumbogramSaysItsLengthInAnOption) {
  const OctetBuffer datagram = udp(kPayload);
  const OctetBuffer option = hex("11 00 c2 04") + be32(datagram.size() + 8);
  expect_inner(ethernet("86dd", ipv6({.next = 0, .payload_length = 0}, option + datagram)), "[2001:db8::1]:5000");
}

TEST(Carriers, WhatIsNotReadIsCountedByItsNumber) {
  const Reading reading =
      read_frames(1, {ethernet("88e5", kPayload), ethernet("0800", ipv4({.protocol = 50}, kPayload)),
                      ethernet("0800", ipv4({.protocol = 50}, kPayload)), ethernet("0806", kPayload),
                      ethernet("0800", ipv4({.protocol = 1}, kPayload)),
                      ethernet("0800", ipv4({.protocol = 47}, hex("0000 1234") + kPayload))});
  EXPECT_EQ(reading.counts.other, 6U);
  EXPECT_EQ(reading.counts.unread.suspects(), 4U);
  EXPECT_EQ(reading.counts.unread.text(),
            "2 frames of IPsec ESP, 1 frame of MACsec, 1 frame of EtherType 0x1234 in gre");
}

TEST(Carriers, KindsOfUnreadFramesAreBounded) {
  Unread unread;
  for (std::uint16_t number = 0; number < 1000; ++number) unread.add({LayerSpace::ip_protocol, number});
  EXPECT_EQ(unread.kinds().size(), 64U);
  EXPECT_EQ(unread.others(), 936U);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
