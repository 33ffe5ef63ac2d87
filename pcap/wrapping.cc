// SPDX-License-Identifier: Apache-2.0
#include "pcap/wrapping.h"

#include <array>

#include "pcap/frame_builder.h"

namespace wirelaw::pcap::testing {
namespace {

constexpr std::size_t kAddresses = 12, kHeader = 14;

OctetBuffer part(const OctetBuffer& of, std::size_t from, std::size_t to) {
  return {of.begin() + static_cast<std::ptrdiff_t>(from), of.begin() + static_cast<std::ptrdiff_t>(to)};
}
OctetBuffer ip_of(const OctetBuffer& frame) {
  return part(frame, kHeader, frame.size());
}
bool is_v6(const OctetBuffer& frame) {
  return frame[kAddresses] == 0x86;
}
// Inserts octets between a frame's addresses and its EtherType.
OctetBuffer tagged(const OctetBuffer& frame, std::string_view tags) {
  return part(frame, 0, kAddresses) + hex(tags) + part(frame, kAddresses, frame.size());
}
OctetBuffer on_ip(unsigned protocol, const OctetBuffer& payload) {
  return ethernet("0800", ipv4({.protocol = protocol}, payload));
}
OctetBuffer on_udp(unsigned port, const OctetBuffer& payload) {
  return on_ip(17, udp(payload, -1, 49152, port));
}
// Returns the network packet after its EtherType, or after another number for it.
OctetBuffer typed(const OctetBuffer& frame, std::string_view v4, std::string_view v6) {
  return hex(is_v6(frame) ? v6 : v4) + ip_of(frame);
}
OctetBuffer ether_typed(const OctetBuffer& frame) {
  return part(frame, kAddresses, frame.size());
}
OctetBuffer padded_to(std::size_t octets, OctetBuffer frame) {
  if (frame.size() < octets) frame.resize(octets);
  return frame;
}

using Frame = const OctetBuffer&;
constexpr std::array kWrappings{
    Wrapping{"Vlan", "vlan 100", [](Frame f) { return tagged(f, "8100 0064"); }},
    Wrapping{"VlanOfProvider", "vlan 5, vlan 100", [](Frame f) { return tagged(f, "88a8 0005 8100 0064"); }},
    Wrapping{"VlanOf9100", "vlan 5", [](Frame f) { return tagged(f, "9100 0005"); }},
    Wrapping{"VlanOf9200", "vlan 5, vlan 6", [](Frame f) { return tagged(f, "9200 0005 8100 0006"); }},
    Wrapping{"Mpls", "mpls label 16", [](Frame f) { return ethernet("8847", hex("00010140") + ip_of(f)); }, true},
    Wrapping{"MplsOfThreeLabels", "mpls label 18",
             [](Frame f) { return ethernet("8847", hex("00010040 00011040 00012140") + ip_of(f)); }, true},
    Wrapping{"MplsPseudowire", "mpls label 16", [](Frame f) { return ethernet("8847", hex("00010140") + f); }},
    Wrapping{"MplsPseudowireWithControlWord", "mpls label 16",
             [](Frame f) { return ethernet("8847", hex("00010140 00000007") + f); }},
    Wrapping{"MplsInIp", "mpls-in-ip, mpls label 16", [](Frame f) { return on_ip(137, hex("00010140") + ip_of(f)); },
             true},
    Wrapping{"MplsInUdp", "mpls label 16", [](Frame f) { return on_udp(6635, hex("00010140") + ip_of(f)); }, true},
    Wrapping{"Gre", "gre", [](Frame f) { return on_ip(47, hex("0000") + ether_typed(f)); }},
    Wrapping{"GreWithChecksumKeyAndSequence", "gre key 9",
             [](Frame f) {
               return on_ip(47,
                            hex("b000") + part(f, kAddresses, kHeader) + hex("0000 0000 00000009 00000001") + ip_of(f));
             },
             true},
    Wrapping{"GreOfEthernet", "gre", [](Frame f) { return on_ip(47, hex("0000 6558") + f); }},
    Wrapping{
        "GreOfPptp", "gre key 262151",
        [](Frame f) { return on_ip(47, hex("3081 880b 0004 0007 00000001 00000001 ff03") + typed(f, "0021", "0057")); },
        true},
    Wrapping{"Nvgre", "nvgre vsid 5001", [](Frame f) { return on_ip(47, hex("2000 6558 00138907") + f); }},
    Wrapping{"ErspanOfTypeOne", "erspan", [](Frame f) { return on_ip(47, hex("0000 88be") + f); }},
    Wrapping{"ErspanOfTypeTwo", "gre, erspan session 100",
             [](Frame f) { return on_ip(47, hex("1000 88be 00000001 1001 0064 00000000") + f); }},
    Wrapping{"ErspanOfTypeThree", "gre, erspan session 100",
             [](Frame f) { return on_ip(47, hex("1000 22eb 00000001 2001 0064 00000000 0000 0000") + f); }},
    Wrapping{
        "ErspanOfTypeThreeWithPlatformHeader", "gre, erspan session 100",
        [](Frame f) { return on_ip(47, hex("1000 22eb 00000001 2001 0064 00000000 0000 0001 0000000000000000") + f); }},
    Wrapping{"Vxlan", "vxlan vni 42", [](Frame f) { return on_udp(4789, hex("08000000 00002a00") + f); }},
    Wrapping{"VxlanOfLinux", "vxlan vni 42", [](Frame f) { return on_udp(8472, hex("08000000 00002a00") + f); }},
    Wrapping{"VxlanWithGroupPolicy", "vxlan vni 42",
             [](Frame f) { return on_udp(4789, hex("88000007 00002a00") + f); }},
    Wrapping{"VxlanGpe", "vxlan-gpe vni 42",
             [](Frame f) { return on_udp(4790, hex(is_v6(f) ? "0c000002" : "0c000001") + hex("00002a00") + ip_of(f)); },
             true},
    Wrapping{"Geneve", "geneve vni 42", [](Frame f) { return on_udp(6081, hex("0000 6558 00002a00") + f); }},
    Wrapping{"GeneveWithOptions", "geneve vni 42",
             [](Frame f) { return on_udp(6081, hex("0200 6558 00002a00 0102 80 01 00000001") + f); }},
    Wrapping{"Nsh", "nsh spi 42",
             [](Frame f) {
               return ethernet("894f", hex(is_v6(f) ? "0fc6 01 02" : "0fc6 01 01") + hex("00002aff") +
                                           hex("00000000 00000000 00000000 00000000") + ip_of(f));
             },
             true},
    Wrapping{"NshOfEthernet", "vxlan-gpe vni 42, nsh spi 42",
             [](Frame f) { return on_udp(4790, hex("0c000004 00002a00 0fc2 02 03 00002aff") + f); }},
    Wrapping{"IpInIp", "ip-in-ip",
             [](Frame f) { return ethernet("0800", ipv4({.protocol = is_v6(f) ? 41U : 4U}, ip_of(f))); }, true},
    Wrapping{"IpInIpv6", "ip-in-ip",
             [](Frame f) { return ethernet("86dd", ipv6({.next = is_v6(f) ? 41U : 4U}, ip_of(f))); }, true},
    Wrapping{"Pppoe", "pppoe session 7",
             [](Frame f) {
               return ethernet("8864", hex("1100 0007") + be16(ip_of(f).size() + 2) + typed(f, "0021", "0057"));
             },
             true},
    Wrapping{"Pbb", "pbb isid 42", [](Frame f) { return ethernet("88e7", hex("0000002a") + f); }},
    Wrapping{"VnTag", "vntag", [](Frame f) { return tagged(f, "8926 00010002"); }},
    Wrapping{"ETag", "etag", [](Frame f) { return tagged(f, "893f 000100020000"); }},
    Wrapping{"LlcSnap", "",
             [](Frame f) {
               const OctetBuffer inner = hex("aaaa03 000000") + ether_typed(f);
               return padded_to(60, part(f, 0, kAddresses) + be16(inner.size()) + inner);
             }},
    Wrapping{"FabricPath", "fabricpath ftag 1", [](Frame f) { return ethernet("8903", hex("007f") + f); }},
    Wrapping{"CiscoMetadata", "cmd sgt 10", [](Frame f) { return tagged(f, "8909 0101 0001 000a"); }},
    Wrapping{"Gtp", "gtp-u teid 42",
             [](Frame f) { return on_udp(2152, hex("30ff") + be16(ip_of(f).size()) + hex("0000002a") + ip_of(f)); },
             true},
    Wrapping{"GtpWithExtension", "gtp-u teid 42",
             [](Frame f) {
               return on_udp(
                   2152, hex("36ff") + be16(ip_of(f).size() + 8) + hex("0000002a 0001 00 85 01 1009 00") + ip_of(f));
             },
             true},
    Wrapping{"EtherIp", "etherip", [](Frame f) { return on_ip(97, hex("3000") + f); }},
    Wrapping{"L2tpV3", "l2tp session 42", [](Frame f) { return on_ip(115, hex("0000002a") + f); }},
    Wrapping{"L2tpV3WithCookieAndSublayer", "l2tp session 42",
             [](Frame f) { return on_ip(115, hex("0000002a 0102030405060708 00000000") + f); }},
    Wrapping{"L2tpV3OnUdp", "l2tp session 42", [](Frame f) { return on_udp(1701, hex("00030000 0000002a") + f); }},
    Wrapping{"L2tpV2", "l2tp session 9",
             [](Frame f) { return on_udp(1701, hex("0002 0005 0009 ff03") + typed(f, "0021", "0057")); }, true},
    Wrapping{"Lisp", "lisp instance 42", [](Frame f) { return on_udp(4341, hex("88000001 00002a00") + ip_of(f)); },
             true},
    Wrapping{"LispGpe", "lisp instance 42", [](Frame f) { return on_udp(4341, hex("0c000003 00002a00") + f); }},
    Wrapping{
        "Gue", "gue",
        [](Frame f) { return on_udp(6080, hex(is_v6(f) ? "0129 0000" : "0104 0000") + hex("00000000") + ip_of(f)); },
        true},
    Wrapping{"GueOfIpItself", "gue", [](Frame f) { return on_udp(6080, ip_of(f)); }, true},
    Wrapping{"Tzsp", "tzsp", [](Frame f) { return on_udp(37008, hex("0100 0001 0a01 ce 00 01") + f); }},
};

}  // namespace

std::span<const Wrapping> wrappings() {
  return kWrappings;
}

bool carries(const Wrapping& outer, const OctetBuffer& frame) {
  const std::uint16_t type = load_big_endian<std::uint16_t>(frame.data() + kAddresses);
  constexpr std::uint16_t kIpv4 = 0x0800, kIpv6 = 0x86dd;
  return !outer.takes_ip_alone || type == kIpv4 || type == kIpv6;
}

}  // namespace wirelaw::pcap::testing
