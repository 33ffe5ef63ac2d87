// SPDX-License-Identifier: Apache-2.0
// Unread content of tags and tunnels is counted, by its number and its carrier. Content that cannot hold a judged
// protocol is not suspected.
#include "pcap/unread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const OctetBuffer kPayload = text("octets of a protocol that nobody here can read");
const OctetBuffer kMacsec = ethernet("88e5", kPayload);
const OctetBuffer kV4 = ethernet("0800", ipv4({}, udp(kPayload)));

OctetBuffer ip_of(const OctetBuffer& frame) {
  return {frame.begin() + 14, frame.end()};
}
OctetBuffer on_ip(unsigned protocol, const OctetBuffer& payload) {
  return ethernet("0800", ipv4({.protocol = protocol}, payload));
}
OctetBuffer on_udp(unsigned port, const OctetBuffer& payload) {
  return on_ip(17, udp(payload, -1, 49152, port));
}
OctetBuffer gtp(const OctetBuffer& carried) {
  return on_udp(2152, hex("30ff") + be16(carried.size()) + hex("0000002a") + carried);
}

struct Row {
  std::string_view name;
  OctetBuffer frame;
  std::string_view text;  // empty: no suspects
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

const Row kRows[] = {
    // An unread EtherType, in each carrier that announces one.
    {"Vlan", ethernet("8100", hex("0064 1234") + kPayload), "1 frame of EtherType 0x1234 in vlan"},
    {"Mpls", ethernet("8847", hex("00010140") + kPayload), "1 frame of MPLS"},
    {"MplsPseudowire", ethernet("8847", hex("00010140 00000007") + kMacsec), "1 frame of MACsec in mpls"},
    {"MplsInIp", on_ip(137, hex("00010140") + kPayload), "1 frame of MPLS in mpls-in-ip"},
    {"MplsInUdp", on_udp(6635, hex("00010140") + kPayload), "1 frame of a protocol without an EtherType in mpls"},
    {"Gre", on_ip(47, hex("0000 1234") + kPayload), "1 frame of EtherType 0x1234 in gre"},
    {"GreWithRouting", on_ip(47, hex("4000 0800 0000 0000") + kPayload), "1 frame of GRE"},
    {"GreOfEthernet", on_ip(47, hex("0000 6558") + kMacsec), "1 frame of MACsec in gre"},
    {"GreOfPptp", on_ip(47, hex("3001 880b 0004 0007 00000001 ff03 00fd") + kPayload), "1 frame of GRE"},
    {"Nvgre", on_ip(47, hex("2000 6558 00138907") + kMacsec), "1 frame of MACsec in nvgre"},
    {"Erspan", on_ip(47, hex("1000 88be 00000001 1001 0064 00000000") + kMacsec), "1 frame of MACsec in erspan"},
    {"ErspanOfAnotherVersion", on_ip(47, hex("1000 88be 00000001 4001 0064 00000000") + kMacsec),
     "1 frame of ERSPAN in gre"},
    {"Vxlan", on_udp(4789, hex("08000000 00002a00") + kMacsec), "1 frame of MACsec in vxlan"},
    {"VxlanOfAnyType", on_udp(8472, hex("08000000 00002a00") + ethernet("1234", kPayload)),
     "1 frame of EtherType 0x1234 in vxlan"},
    {"VxlanGpe", on_udp(4790, hex("0c000006 00002a00") + kPayload),
     "1 frame of a protocol without an EtherType in vxlan-gpe"},
    {"VxlanGpeAtThePortOfVxlan", on_udp(4789, hex("0c000063 00002a00") + kPayload),
     "1 frame of a protocol without an EtherType in vxlan-gpe"},
    {"VxlanGpeOfNsh", on_udp(4790, hex("0c000004 00002a00 0fc2 02 09 00002aff") + kPayload),
     "1 frame of NSH in vxlan-gpe"},
    {"Geneve", on_udp(6081, hex("0000 1234 00002a00") + kPayload), "1 frame of EtherType 0x1234 in geneve"},
    {"GeneveOfEthernet", on_udp(6081, hex("0000 6558 00002a00") + kMacsec), "1 frame of MACsec in geneve"},
    {"GeneveOfNsh", on_udp(6081, hex("0000 894f 00002a00 0fc2 02 09 00002aff") + kPayload), "1 frame of NSH in geneve"},
    {"GeneveOfGre", on_udp(6081, hex("0000 0800 00002a00") + ipv4({.protocol = 47}, hex("0000 1234") + kPayload)),
     "1 frame of EtherType 0x1234 in gre"},
    {"Nsh", ethernet("894f", hex("0fc2 02 09 00002aff") + kPayload), "1 frame of NSH"},
    {"Pppoe", ethernet("8864", hex("1100 0007") + be16(kPayload.size() + 2) + hex("00fd") + kPayload),
     "1 frame of PPPoE"},
    {"Pbb", ethernet("88e7", hex("0000002a") + kMacsec), "1 frame of MACsec in pbb"},
    {"VnTag", ethernet("8926", hex("00010002 88e5") + kPayload), "1 frame of MACsec in vntag"},
    {"ETag", ethernet("893f", hex("000100020000 88e5") + kPayload), "1 frame of MACsec in etag"},
    {"LlcSnap", ethernet("0036", hex("aaaa03 000000 88e5") + kPayload), "1 frame of MACsec"},
    {"FabricPath", ethernet("8903", hex("007f") + kMacsec), "1 frame of MACsec in fabricpath"},
    {"CiscoMetadata", ethernet("8909", hex("0101 0001 000a 88e5") + kPayload), "1 frame of MACsec in cmd"},
    {"Gtp", gtp(kPayload), "1 frame of a protocol without an EtherType in gtp-u"},
    {"GtpOfEthernet", gtp(kMacsec), "1 frame of MACsec in gtp-u"},
    {"EtherIp", on_ip(97, hex("3000") + kMacsec), "1 frame of MACsec in etherip"},
    {"L2tpV3", on_ip(115, hex("0000002a") + kPayload), "1 frame of L2TPv3"},
    {"L2tpV3OnUdp", on_udp(1701, hex("00030000 0000002a") + kPayload),
     "1 frame of a protocol without an EtherType in l2tp"},
    {"L2tpV2", on_udp(1701, hex("0002 0005 0009 ff03 00fd") + kPayload),
     "1 frame of a protocol without an EtherType in l2tp"},
    {"Tzsp", on_udp(37008, hex("0100 0001 0a01 ce 00 01") + kMacsec), "1 frame of MACsec in tzsp"},
    {"TzspOfAnotherLink", on_udp(37008, hex("0100 0077 01") + kPayload),
     "1 frame of a protocol without an EtherType in tzsp"},
    {"EspOnUdp", on_udp(4500, hex("00001234 00000001") + kPayload), "1 frame of encrypted packets in esp-in-udp"},
    {"LispOfEthernet", on_udp(4341, hex("0c000003 00002a00") + kMacsec), "1 frame of MACsec in lisp"},
    {"Wireguard", on_udp(51820, hex("04000000 00000001 0100000000000000") + OctetBuffer(32, 0x5a)),
     "1 frame of encrypted packets in wireguard"},
    {"IpInIp", on_ip(4, ipv4({.protocol = 50}, kPayload)), "1 frame of IPsec ESP in ip-in-ip"},
    {"EspInVxlan", on_udp(4789, hex("08000000 00002a00") + on_ip(50, kPayload)), "1 frame of IPsec ESP in vxlan"},
    // Management of links and tunnels.
    {"PppLinkControl", ethernet("8864", hex("1100 0007 000a c021 0901 0008 00000000")), ""},
    {"PppLinkControlInPptp", on_ip(47, hex("3001 880b 0004 0007 00000001 ff03 c021 0901 0004")), ""},
    {"PppLinkControlInL2tp", on_udp(1701, hex("0002 0005 0009 ff03 c021 0901 0004")), ""},
    {"AcknowledgementOfPptp", on_ip(47, hex("2081 880b 0000 0007 00000001")), ""},
    {"KeepaliveOfGre", on_ip(47, hex("0000 0800") + ipv4({.protocol = 47}, hex("0000 0000"))), ""},
    {"ControlOfL2tpV3", on_ip(115, hex("00000000 c8030014 00000000 0000 0000") + kPayload), ""},
    {"ControlOfGeneve", on_udp(6081, hex("0080 6558 00002a00") + kPayload), ""},
    {"ChannelOfAPseudowire", ethernet("8847", hex("00010140 10000021") + kPayload), ""},
    {"SpanningTreeInAPseudowire", ethernet("8847", hex("00010140 00000000") + ethernet("0026", hex("424203 0000"))),
     ""},
    {"LldpInVxlan", on_udp(4789, hex("08000000 00002a00") + ethernet("88cc", kPayload)), ""},
    {"ArpInVxlan", on_udp(4789, hex("08000000 00002a00") + ethernet("0806", kPayload)), ""},
    {"BeaconInTzsp", on_udp(37008, hex("0100 0012 01 8000") + kPayload), ""},
};

class UnreadIn : public ::testing::TestWithParam<Row> {};

TEST_P(UnreadIn, IsCountedWithItsCarrierUnlessItIsInnocent) {
  const Reading reading = read_frame(GetParam().frame);
  EXPECT_EQ(reading.counts.unread.text(), GetParam().text);
  EXPECT_EQ(reading.counts.other, 1U);
  EXPECT_THAT(reading.datagrams, IsEmpty());
  EXPECT_THAT(reading.problems, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Carriers, UnreadIn, ::testing::ValuesIn(kRows),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Unread, HasAKindForEachCarrier) {
  const Reading reading = read_frames(
      1, {kMacsec, ethernet("8100", hex("0064 88e5") + kPayload), ethernet("8100", hex("0065 88e5") + kPayload)});
  EXPECT_EQ(reading.counts.unread.text(), "2 frames of MACsec in vlan, 1 frame of MACsec");
}

// It is neither a datagram of the tunnel's port nor part of a judged flow.
TEST(Unread, IsNotWhatTheSnapLengthCutOff) {
  for (const OctetBuffer& frame :
       {on_udp(4789, hex("08000000 00002a00") + kV4), on_udp(6081, hex("0000 6558 00002a00") + kV4), gtp(ip_of(kV4)),
        on_udp(37008, hex("0100 0001 0a01 ce 00 01") + kV4), on_udp(4790, hex("0c000001 00002a00") + ip_of(kV4))}) {
    constexpr std::size_t kToUdp = 14 + 20 + 8, kUdp = 8;
    for (std::size_t kept = kToUdp; kept + kPayload.size() + kUdp <= frame.size(); ++kept) {
      const OctetBuffer cut(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(kept));
      const Record record{.octets = cut, .wire_length = static_cast<std::uint32_t>(frame.size())};
      const Reading reading = read_octets(pcap_file({}, std::vector<Record>{record}));
      EXPECT_EQ(reading.counts.headers_cut + reading.counts.unread.suspects(), 1U)
          << "after " << kept << " of " << frame.size() << " octets";
      EXPECT_THAT(reading.datagrams, IsEmpty()) << "after " << kept << " of " << frame.size() << " octets";
    }
  }
}

TEST(Carriers, MoreThanAFrameMayHaveAreAProblem) {
  OctetBuffer tags;
  for (int i = 0; i < 17; ++i) tags = tags + hex("0064 8100");
  const Reading reading = read_frame(ethernet("8100", tags + hex("0064 0800") + ip_of(kV4)));
  EXPECT_EQ(reading.counts.malformed, 1U);
  ASSERT_EQ(reading.problems.size(), 1U);
  EXPECT_THAT(reading.problems[0], HasSubstr("more than 16 tags and tunnels"));
}

// --- headers that only some capture points have

void expect_inner(const OctetBuffer& frame, int link_type = 1) {
  const Reading reading = read_frames(link_type, {frame});
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
  EXPECT_EQ(to_string(reading.datagrams[0].datagram.source), "192.0.2.1:5000");
  EXPECT_THAT(reading.problems, IsEmpty());
}

TEST(Carriers, AreReadInTheirRareForms) {
  const OctetBuffer ip = ip_of(kV4);
  expect_inner(ethernet("0054", hex("060603") + ip));  // IP, announced by LLC
  expect_inner(
      ethernet("0064", hex("aaaa03 0080c2 0001") + kV4 + hex("deadbeef")));  // a bridged frame with its check sequence
  expect_inner(on_udp(4789, hex("0c000001 00002a00") + ip));                 // VXLAN-GPE
  expect_inner(on_udp(4790, hex("08000000 00002a00") + kV4));                // VXLAN
  expect_inner(gtp(kV4));                                                    // a session that carries Ethernet
  expect_inner(on_ip(47, hex("3001 880b 0004 0007 00000001 21") + ip));      // PPP, compressed
  expect_inner(on_udp(37008, hex("0100 0012 01 0802 0000 020000000001 020000000002 020000000003 0000") +
                                 hex("aaaa03 000000 0800") + ip));  // IEEE 802.11 in TZSP
}

// RFC 4391: IP in an unreliable datagram of InfiniBand or RoCE.
TEST(Carriers, IpOverInfinibandIsOne) {
  const OctetBuffer transport =
      hex("64 00 ffff 00000001 80000000 00000b1b 00000001 0800 0000") + ip_of(kV4) + hex("c0ffee00");
  const OctetBuffer global = hex("60000000") + be16(transport.size()) + hex("1b 40") +
                             hex("fe80000000000000020000fffe000001 fe80000000000000020000fffe000002");
  expect_inner(ethernet("8915", global + transport));
  expect_inner(hex("0002 0005") + be16((8 + transport.size()) / 4) + hex("0007") + transport + hex("beef"), 247);
  expect_inner(OctetBuffer(40) + hex("0800 0000") + ip_of(kV4), 242);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
