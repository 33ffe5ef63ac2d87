// SPDX-License-Identifier: Apache-2.0
#include "pcap/carriers.h"

#include <fmt/format.h>

#include <algorithm>

#include "pcap/ethernet.h"
#include "pcap/infiniband.h"
#include "pcap/link_headers.h"
#include "pcap/read_tables.h"
#include "pcap/unread.h"

namespace wirelaw::pcap {
namespace {

std::uint16_t word(const Octet* at) {
  return load_big_endian<std::uint16_t>(at);
}
std::uint32_t long_word(const Octet* at) {
  return load_big_endian<std::uint32_t>(at);
}
std::uint32_t three_octets(const Octet* at) {
  return long_word(at) >> 8U;
}

// The length of a header, and the layer that follows. A header that is longer than the available octets is cut.
struct Header {
  std::size_t octets = 0;                  // 0: no such header
  std::uint16_t next = kEtherTypeUnknown;  // an EtherType
  friend bool operator==(const Header&, const Header&) = default;
};
constexpr Header kNone{};

struct Row {
  Layer layer;
  const char* name;
  const char* id_name;
  Header (*read)(const Walk& walk, Carrier& carrier);  // gets at least `least` octets
  std::size_t least;
};

// --- detects a layer that nothing announces

bool is_ip(const Walk& walk, std::size_t skip, std::uint16_t ether_type) {
  constexpr std::size_t kLeastIpv4 = 20, kIpv6Header = 40;
  const std::size_t at = walk.at + skip;
  if (at + kLeastIpv4 > walk.octets.size()) return false;
  const Octet* const header = walk.octets.data() + at;
  const std::size_t available = walk.wire_length - at;
  if (ether_type == kEtherTypeIpv4) {
    const std::size_t total = word(header + 2);
    const bool is_offloaded = total == 0 && header[9] == kProtocolTcp;  // as decode_ip() reads it
    return header[0] >> 4U == 4 && (header[0] & 0x0fU) >= 5 &&
           (is_offloaded || (total >= kLeastIpv4 && total <= available));
  }
  return header[0] >> 4U == 6 && word(header + 4) + kIpv6Header <= available;
}

std::uint16_t ip_type(const Walk& walk, std::size_t skip) {
  for (const std::uint16_t type : {kEtherTypeIpv4, kEtherTypeIpv6})
    if (is_ip(walk, skip, type)) return type;
  return kEtherTypeUnknown;
}

bool is_carrier_type(std::uint16_t type);

// Both service access points of an IEEE 802.2 header. is_llc() also requires unnumbered information (3).
constexpr std::uint16_t kSnapPoints = 0xaaaa, kIpPoints = 0x0606, kSpanningTreePoints = 0x4242;
constexpr std::array kKnownPoints{kSnapPoints, kIpPoints, kSpanningTreePoints};
bool is_llc(const Walk& walk, std::size_t skip, std::uint16_t points) {
  const Octet* const header = walk.here() + skip;
  return walk.left() >= skip + 3 && word(header) == points && header[2] == 0x03;
}

bool is_ethernet(const Walk& walk, std::size_t skip) {
  if (walk.left() < skip + kEthernetHeader) return false;
  const std::uint16_t type = word(walk.here() + skip + kEthernetType);
  if (type == kEtherTypeIpv4 || type == kEtherTypeIpv6) return is_ip(walk, skip + kEthernetHeader, type);
  if (type <= kMostLlcOctets)
    return std::ranges::any_of(kKnownPoints,
                               [&](std::uint16_t points) { return is_llc(walk, skip + kEthernetHeader, points); });
  return type == kEtherTypeRoce || is_carrier_type(type) ||
         (type >= kFirstEtherType && is_known({LayerSpace::ether_type, type}));
}

// Reads a PPP packet. The address and control fields may be missing, and the protocol may have one octet (RFC 1661,
// section 6.5).
Header read_ppp(const Walk& walk, std::size_t at) {
  constexpr std::uint16_t kAddressAndControl = 0xff03;
  if (walk.left() >= at + 2 && word(walk.here() + at) == kAddressAndControl) at += 2;
  if (walk.left() < at + 2) return {at + 2};
  const Octet first = walk.here()[at];
  if ((first & 1U) != 0) return {at + 1, ether_type_of_ppp(first)};
  return {at + 2, ether_type_of_ppp(word(walk.here() + at))};
}

// --- headers

Header read_ethernet(const Walk& walk, Carrier&) {
  return {kEthernetHeader, word(walk.here() + kEthernetType)};
}

// Reads a header of fixed length, whose EtherType is at `type_at`.
template <std::size_t octets, std::size_t type_at>
Header read_tag(const Walk& walk, Carrier&) {
  return {octets, word(walk.here() + type_at)};
}

Header read_vlan(const Walk& walk, Carrier& carrier) {
  carrier.id = word(walk.here()) & 0x0fffU;
  return {4, word(walk.here() + 2)};
}

// RFC 3032: no number announces what follows the bottom of the stack. RFC 4448: an Ethernet pseudowire may have a
// control word. A sender sets all of the word but its sequence number to 0, and a receiver ignores all but the first
// four bits. Ethernet addresses may begin with the same octets, so the layer after them decides.
Header read_mpls(const Walk& walk, Carrier& carrier) {
  constexpr std::size_t kLabel = 4, kMostLabels = 16, kControlWord = 4;
  constexpr std::uint16_t kNoControlWord = 0xffff, kAssociatedChannel = 0x1000;  // RFC 4385, section 5
  for (std::size_t at = 0; at < kMostLabels * kLabel; at += kLabel) {
    if (walk.left() < at + kLabel) return {at + kLabel};
    const std::uint32_t entry = long_word(walk.here() + at);
    if ((entry & 0x100U) == 0) continue;  // not the bottom of the stack
    carrier.id = entry >> 12U;
    const std::size_t header = at + kLabel;
    if (const std::uint16_t type = ip_type(walk, header)) return {header, type};
    const std::uint16_t control = walk.left() >= header + kControlWord ? word(walk.here() + header) : kNoControlWord;
    if (control == 0 && is_ethernet(walk, header + kControlWord)) return {header + kControlWord, kEtherTypeEthernet};
    if (is_ethernet(walk, header)) return {header, kEtherTypeEthernet};
    if (control < kAssociatedChannel && is_ethernet(walk, header + kControlWord))
      return {header + kControlWord, kEtherTypeEthernet};
    if (control == kAssociatedChannel) return {header + kControlWord, kEtherTypeNothing};
    return kNone;
  }
  return kNone;
}

// RFC 2784 and RFC 2890; RFC 2637 for version 1. In RFC 7637 (NVGRE), a key on bridged Ethernet is a VSID and a flow.
Header read_gre(const Walk& walk, Carrier& carrier) {
  constexpr std::uint16_t kChecksum = 0x8000, kRouting = 0x4000, kKey = 0x2000, kSequence = 0x1000, kAck = 0x0080,
                          kVersion = 0x0007, kPpp = 0x880b, kErspan = 0x88be;
  const std::uint16_t flags = word(walk.here());
  std::uint16_t next = word(walk.here() + 2);
  std::size_t octets = 4;
  if ((flags & kRouting) != 0 || (flags & kVersion) > 1) return kNone;
  const bool is_pptp = (flags & kVersion) == 1;
  if ((flags & kChecksum) != 0) octets += 4;
  if ((flags & kKey) != 0) {
    if (walk.left() < octets + 4) return {octets + 4};
    const std::uint32_t key = long_word(walk.here() + octets);
    carrier = {"gre", "key", key};
    if (next == kEtherTypeEthernet && (flags & (kChecksum | kSequence)) == 0) carrier = {"nvgre", "vsid", key >> 8U};
    octets += 4;
  }
  if ((flags & kSequence) != 0) octets += 4;
  if (is_pptp && (flags & kAck) != 0) octets += 4;
  const bool is_empty = walk.wire_length - walk.at == octets;  // a keepalive, or an acknowledgement of PPTP
  if (is_empty && (next == kEtherTypeUnknown || next == kPpp)) return {octets, kEtherTypeNothing};
  if (next == kPpp) return is_pptp ? read_ppp(walk, octets) : kNone;
  if (next == kErspan && (flags & kSequence) == 0) {  // type I has no header
    carrier = {"erspan", nullptr, 0};
    next = kEtherTypeEthernet;
  }
  return {octets, next};
}

// draft-foschiano-erspan: type II has version 1, type III version 2. The session is in the low ten bits.
Header read_erspan(const Walk& walk, Carrier& carrier) {
  const unsigned version = walk.here()[0] >> 4U;
  carrier.id = word(walk.here() + 2) & 0x03ffU;
  if (version == 1) return {8, kEtherTypeEthernet};
  if (version != 2) return kNone;
  constexpr std::size_t kHeader = 12, kPlatform = 8;
  if (walk.left() < kHeader) return {kHeader};
  const std::uint16_t last = word(walk.here() + 10);
  const std::size_t octets = kHeader + ((last & 1U) != 0 ? kPlatform : 0);
  const unsigned frame_type = (last >> 10U) & 0x1fU;
  if (frame_type == 2) return {octets, ip_type(walk, octets)};
  return {octets, frame_type == 0 ? kEtherTypeEthernet : kEtherTypeUnknown};
}

// RFC 8300: the next protocol has the same numbers as in VXLAN-GPE.
std::uint16_t ether_type_of_nsh(Octet next) {
  constexpr std::array<std::uint16_t, 6> kTypes{kEtherTypeUnknown,  kEtherTypeIpv4, kEtherTypeIpv6,
                                                kEtherTypeEthernet, kEtherTypeNsh,  kEtherTypeMpls};
  return next < kTypes.size() ? kTypes[next] : kEtherTypeUnknown;
}

Header read_nsh(const Walk& walk, Carrier& carrier) {
  const Octet* const header = walk.here();
  const std::size_t octets = (header[1] & 0x3fU) * std::size_t{4};
  if (header[0] >> 6U != 0 || octets < 8) return kNone;
  carrier.id = three_octets(header + 4);
  return {octets, ether_type_of_nsh(header[3])};
}

// RFC 2516: session data has code 0. The protocol may have one octet (RFC 1661, section 6.5).
Header read_pppoe(const Walk& walk, Carrier& carrier) {
  if (walk.here()[0] != 0x11 || walk.here()[1] != 0) return kNone;
  carrier.id = word(walk.here() + 2);
  const Octet first = walk.here()[6];
  if ((first & 1U) != 0) return {7, ether_type_of_ppp(first)};
  return {8, ether_type_of_ppp(word(walk.here() + 6))};
}

// IEEE 802.2: SNAP (RFC 1042) announces an EtherType, or a bridged frame with or without its check sequence.
Header read_llc(const Walk& walk, Carrier&) {
  constexpr std::uint32_t kEncapsulated = 0x000000, kTunnel = 0x0000f8, kBridged = 0x0080c2;
  constexpr std::uint16_t kWithCheck = 1, kWithoutCheck = 7;
  constexpr std::size_t kSnapHeader = 8;
  if (is_llc(walk, 0, kIpPoints)) return {3, kEtherTypeIpv4};
  if (!is_llc(walk, 0, kSnapPoints)) return kNone;
  if (walk.left() < kSnapHeader) return {kSnapHeader};
  const std::uint32_t organisation = three_octets(walk.here() + 3);
  const std::uint16_t type = word(walk.here() + 6);
  if (organisation == kEncapsulated || organisation == kTunnel) return {kSnapHeader, type};
  if (organisation == kBridged && (type == kWithCheck || type == kWithoutCheck))
    return {kSnapHeader, kEtherTypeEthernet};
  return kNone;
}

// The length counts options of four octets each.
Header read_cisco_metadata(const Walk& walk, Carrier& carrier) {
  const std::size_t octets = 2 + walk.here()[1] * std::size_t{4};
  if (walk.here()[0] != 1) return kNone;
  carrier.id = word(walk.here() + 4);
  if (walk.left() < octets + 2) return {octets + 2};
  return {octets + 2, word(walk.here() + octets)};
}

Header read_pbb(const Walk& walk, Carrier& carrier) {
  carrier.id = long_word(walk.here()) & 0xffffffU;
  return {4, kEtherTypeEthernet};
}

Header read_fabric_path(const Walk& walk, Carrier& carrier) {
  carrier.id = word(walk.here()) >> 6U;
  return {2, kEtherTypeEthernet};
}

// An IP packet directly in an IP packet.
template <std::uint16_t ether_type>
Header read_at_once(const Walk&, Carrier&) {
  return {0, ether_type};
}

Header read_ether_ip(const Walk& walk, Carrier&) {  // RFC 3378
  return word(walk.here()) == 0x3000 ? Header{2, kEtherTypeEthernet} : kNone;
}

// RFC 3931, section 4.1: only the ends of the session know the length of the cookie, and whether a sublayer follows.
Header find_in_session(const Walk& walk, std::size_t session_at) {
  for (std::size_t octets = session_at + 4; octets <= session_at + 16; octets += 4) {
    if (is_ethernet(walk, octets)) return {octets, kEtherTypeEthernet};
    if (const std::uint16_t type = ip_type(walk, octets)) return {octets, type};
  }
  return kNone;
}
Header read_l2tp_on_ip(const Walk& walk, Carrier& carrier) {
  carrier.id = long_word(walk.here());
  return carrier.id == 0 ? Header{4, kEtherTypeNothing} : find_in_session(walk, 0);  // 0: a control message
}

// --- on UDP: a port is a guess. A datagram is a tunnel's if what its header announces follows, or if its header is
// exact: what it must have is in all of its octets. Then it is a tunnel's, whatever is in it.

bool holds_what_it_announces(const Walk& walk, const Header& header) {
  switch (header.next) {
    case kEtherTypeEthernet:
      return is_ethernet(walk, header.octets);
    case kEtherTypeIpv4:
    case kEtherTypeIpv6:
      return is_ip(walk, header.octets, header.next);
    default:
      return header.next == kEtherTypeNsh || header.next == kEtherTypeMpls;
  }
}

Header if_tunnel(const Walk& walk, const Header& header, bool is_exact) {
  const bool is_empty = walk.wire_length - walk.at <= header.octets;
  return holds_what_it_announces(walk, header) || (is_exact && !is_empty) ? header : kNone;
}

// RFC 2661, section 3.1: version 2 has optional fields, then PPP. RFC 3931, section 4.1.2.1, is version 3.
Header read_l2tp_on_udp(const Walk& walk, Carrier& carrier) {
  constexpr std::uint16_t kControl = 0x8000, kLength = 0x4000, kSequence = 0x0800, kOffset = 0x0200, kReserved = 0x34f0,
                          kVersion = 0x000f;
  const std::uint16_t flags = word(walk.here());
  if ((flags & kControl) != 0) return kNone;
  if ((flags & kVersion) == 3) {
    carrier.id = long_word(walk.here() + 4);
    const Header found = find_in_session(walk, 4);
    const bool is_exact = long_word(walk.here()) == 0x00030000 && carrier.id != 0;
    return found.octets > 0 ? found : if_tunnel(walk, {8}, is_exact);
  }
  if ((flags & kVersion) != 2) return kNone;
  std::size_t octets = (flags & kLength) != 0 ? 4 : 2;
  const bool has_length = (flags & kLength) == 0 || word(walk.here() + 2) == walk.wire_length - walk.at;
  carrier.id = word(walk.here() + octets + 2);
  octets += (flags & kSequence) != 0 ? 8 : 4;
  if ((flags & kOffset) != 0) {
    if (walk.left() < octets + 2) return {octets + 2};
    octets += 2 + std::size_t{word(walk.here() + octets)};
  }
  const Header header = read_ppp(walk, octets);
  if (walk.left() < header.octets) return header;
  return if_tunnel(walk, header, (flags & kReserved) == 0 && has_length);
}

// RFC 7510, section 3: the source port is a hash of the flow. The label and the time to live of an entry are not 0.
Header read_mpls_on_udp(const Walk& walk, Carrier& carrier) {
  constexpr std::uint16_t kFirstHash = 32768;
  const Header header = read_mpls(walk, carrier);
  if (header.octets > 0) return header;
  const std::uint32_t entry = long_word(walk.here());
  const bool is_exact = walk.is_to_port && walk.source_port >= kFirstHash && entry >> 12U != 0 && (entry & 0xffU) != 0;
  return is_exact ? Header{4, kEtherTypeUnknown} : kNone;
}

// RFC 7348, which the group policy extension (G) extends by a policy in octets 2 and 3; or draft-ietf-nvo3-vxlan-gpe,
// section 3, which a flag distinguishes on any port.
Header read_vxlan(const Walk& walk, Carrier& carrier) {
  constexpr Octet kPolicy = 0x80, kInstance = 0x08, kNextProtocol = 0x04;
  const Octet* const header = walk.here();
  carrier.id = three_octets(header + 4);
  if ((header[0] & 0xc8U) == kInstance && (header[0] & kNextProtocol) != 0) {
    carrier.name = "vxlan-gpe";
    const bool is_exact = walk.is_to_port && header[1] == 0 && header[2] == 0 && header[7] == 0;
    return if_tunnel(walk, {8, ether_type_of_nsh(header[3])}, is_exact);
  }
  if ((header[0] & kInstance) == 0) return kNone;  // all other bits are ignored on receipt
  const bool is_exact = walk.is_to_port && (header[0] & 0x7fU) == kInstance && header[7] == 0 &&
                        ((header[0] & kPolicy) != 0 || three_octets(header + 1) == 0);
  return if_tunnel(walk, {8, kEtherTypeEthernet}, is_exact);
}

Header read_geneve(const Walk& walk, Carrier& carrier) {  // RFC 8926, section 3.4
  constexpr Octet kVersion = 0xc0, kControl = 0x80, kReserved = 0x3f;
  const Octet* const header = walk.here();
  if ((header[0] & kVersion) != 0 || (header[1] & kReserved) != 0) return kNone;
  carrier.id = three_octets(header + 4);
  Header found{8 + (header[0] & 0x3fU) * std::size_t{4}, word(header + 2)};
  const bool is_exact = walk.is_to_port && found.next >= kFirstEtherType && header[7] == 0;
  const bool is_control = (header[1] & kControl) != 0 && !holds_what_it_announces(walk, found);
  if (is_control) found.next = kEtherTypeNothing;  // a control packet between the ends of the tunnel
  return if_tunnel(walk, found, is_exact);
}

// 3GPP TS 29.281, section 5: a G-PDU, with its optional fields and extension headers. It contains IP, or Ethernet if
// the session has that type, which only its ends know.
Header read_gtp(const Walk& walk, Carrier& carrier) {
  constexpr Octet kUserData = 255;
  const Octet flags = walk.here()[0];
  if ((flags & 0xf0U) != 0x30 || walk.here()[1] != kUserData) return kNone;
  carrier.id = long_word(walk.here() + 4);
  std::size_t octets = 8;
  if ((flags & 0x07U) != 0) {
    octets += 4;
    if (walk.left() < octets) return {octets};
    Octet next = (flags & 0x04U) != 0 ? walk.here()[octets - 1] : Octet{0};
    for (std::size_t extensions = 0; next != 0; ++extensions) {
      if (walk.left() <= octets) return {octets + 1};
      if (extensions == kMaxCarriers || walk.here()[octets] == 0) return kNone;
      octets += walk.here()[octets] * std::size_t{4};
      if (walk.left() < octets) return {octets};
      next = walk.here()[octets - 1];
    }
  }
  if (const std::uint16_t type = ip_type(walk, octets)) return {octets, type};
  const bool has_length = word(walk.here() + 2) + std::size_t{8} == walk.wire_length - walk.at;
  const bool is_frame = is_ethernet(walk, octets);
  return if_tunnel(walk, {octets, is_frame ? kEtherTypeEthernet : kEtherTypeUnknown}, has_length);
}

// TaZmen Sniffer Protocol: tags up to the end tag, then the frame.
Header read_tzsp(const Walk& walk, Carrier&) {
  constexpr Octet kPadding = 0, kEnd = 1;
  constexpr std::uint16_t kEthernet = 1, kWireless = 18;
  const std::uint16_t carried = word(walk.here() + 2);
  if (walk.here()[0] != 1 || walk.here()[1] > 1 || carried == 0) return kNone;
  for (std::size_t octets = 4; octets < walk.left();) {
    const Octet tag = walk.here()[octets++];
    if (tag == kPadding) continue;
    if (tag != kEnd) {
      if (octets >= walk.left()) break;
      octets += 1 + std::size_t{walk.here()[octets]};
      continue;
    }
    if (carried == kEthernet) return if_tunnel(walk, {octets, kEtherTypeEthernet}, walk.is_to_port);
    LinkPayload frame;
    const bool is_read = carried == kWireless && !strip_wireless(walk.octets.subspan(walk.at + octets), frame);
    return if_tunnel(walk, {octets + (is_read ? frame.offset : 0), is_read ? frame.ether_type : kEtherTypeUnknown},
                     walk.is_to_port);
  }
  return walk.is_cut() ? Header{walk.left() + 1} : kNone;
}

// RFC 3948, section 2: the security parameters index is not 0; in key management packets it is.
Header read_esp_on_udp(const Walk& walk, Carrier&) {
  return long_word(walk.here()) == 0 ? kNone : Header{8, kEtherTypeEncrypted};
}

// RFC 6830, section 5.3: an IP packet follows after eight octets. RFC 9305, section 3: a flag announces that octet 3 is
// the next protocol's number, one of VXLAN-GPE's.
Header read_lisp(const Walk& walk, Carrier& carrier) {
  constexpr Octet kInstance = 0x08, kNextProtocol = 0x04;
  const Octet* const header = walk.here();
  if ((header[0] & kInstance) != 0) carrier.id = three_octets(header + 4);
  const bool names_next = (header[0] & kNextProtocol) != 0;
  return if_tunnel(walk, {8, names_next ? ether_type_of_nsh(header[3]) : ip_type(walk, 8)}, false);
}

// draft-ietf-intarea-gue, section 3: variant 0 contains an IP protocol number; variant 1 is an IP packet itself.
Header read_gue(const Walk& walk, Carrier&) {
  constexpr Octet kControl = 0x20, kIpv4 = 4, kIpv6 = 41;
  const Octet first = walk.here()[0];
  if (first >> 6U == 1) return if_tunnel(walk, {0, ip_type(walk, 0)}, false);
  if (first >> 6U != 0 || (first & kControl) != 0) return kNone;
  const std::size_t octets = 4 + (first & 0x1fU) * std::size_t{4};
  const Octet carried = walk.here()[1];
  if (carried == kIpv4) return if_tunnel(walk, {octets, kEtherTypeIpv4}, false);
  if (carried == kIpv6) return if_tunnel(walk, {octets, kEtherTypeIpv6}, false);
  return kNone;
}

// "WireGuard: Next Generation Kernel Network Tunnel", section 5.4.6: the type and three octets of 0 begin a packet of
// data, whose padded content has a tag of 16 octets.
Header read_wireguard(const Walk& walk, Carrier&) {
  constexpr std::uint32_t kData = 0x04000000;
  const std::size_t octets = walk.wire_length - walk.at;
  const bool is_data = long_word(walk.here()) == kData && octets > 32 && octets % 16 == 0;
  return is_data ? Header{16, kEtherTypeEncrypted} : kNone;
}

constexpr Layer ether(std::uint16_t number) {
  return {LayerSpace::ether_type, number};
}
constexpr Layer ip(std::uint16_t number) {
  return {LayerSpace::ip_protocol, number};
}
constexpr Layer udp(std::uint16_t number) {
  return {LayerSpace::udp_port, number};
}

constexpr std::array kRows{
    Row{ether(kEtherTypeEthernet), nullptr, nullptr, read_ethernet, kEthernetHeader},
    Row{ether(kEtherTypeLlc), nullptr, nullptr, read_llc, 3},
    Row{ether(0x8870), nullptr, nullptr, read_llc, 3},  // a jumbo frame, which has no length
    Row{ether(0x8100), "vlan", "", read_vlan, 4},
    Row{ether(0x88a8), "vlan", "", read_vlan, 4},  // IEEE 802.1ad
    Row{ether(0x9100), "vlan", "", read_vlan, 4},  // used before 802.1ad
    Row{ether(0x9200), "vlan", "", read_vlan, 4},  // likewise
    Row{ether(kEtherTypeMpls), "mpls", "label", read_mpls, 4},
    Row{ether(0x8848), "mpls", "label", read_mpls, 4},  // with an upstream label (RFC 5332)
    Row{ether(kEtherTypePppoe), "pppoe", "session", read_pppoe, 8},
    Row{ether(0x88e7), "pbb", "isid", read_pbb, 4},  // IEEE 802.1ah
    Row{ether(0x88be), "erspan", "session", read_erspan, 8},
    Row{ether(0x22eb), "erspan", "session", read_erspan, 8},
    Row{ether(kEtherTypeNsh), "nsh", "spi", read_nsh, 8},
    Row{ether(0x8903), "fabricpath", "ftag", read_fabric_path, 2},
    Row{ether(0x8909), "cmd", "sgt", read_cisco_metadata, 6},  // Cisco metadata
    Row{ether(0x8926), "vntag", nullptr, read_tag<6, 4>, 6},
    Row{ether(0x893f), "etag", nullptr, read_tag<8, 6>, 8},  // IEEE 802.1BR
    Row{ip(4), "ip-in-ip", nullptr, read_at_once<kEtherTypeIpv4>, 0},
    Row{ip(41), "ip-in-ip", nullptr, read_at_once<kEtherTypeIpv6>, 0},
    Row{ip(47), "gre", nullptr, read_gre, 4},
    Row{ip(97), "etherip", nullptr, read_ether_ip, 2},
    Row{ip(115), "l2tp", "session", read_l2tp_on_ip, 4},
    Row{ip(137), "mpls-in-ip", nullptr, read_at_once<kEtherTypeMpls>, 0},  // RFC 4023
    Row{udp(6635), "mpls", "label", read_mpls_on_udp, 4},                  // RFC 7510
    Row{udp(4789), "vxlan", "vni", read_vxlan, 8},
    Row{udp(8472), "vxlan", "vni", read_vxlan, 8},  // Linux's default
    Row{udp(4790), "vxlan", "vni", read_vxlan, 8},  // VXLAN-GPE
    Row{udp(6081), "geneve", "vni", read_geneve, 8},
    Row{udp(2152), "gtp-u", "teid", read_gtp, 8},
    Row{udp(1701), "l2tp", "session", read_l2tp_on_udp, 8},
    Row{udp(37008), "tzsp", nullptr, read_tzsp, 5},
    Row{udp(4500), "esp-in-udp", nullptr, read_esp_on_udp, 8},
    Row{udp(4341), "lisp", "instance", read_lisp, 8},
    Row{udp(6080), "gue", nullptr, read_gue, 4},
    Row{udp(51820), "wireguard", nullptr, read_wireguard, 16},
};

bool is_carrier_type(std::uint16_t type) {
  return std::ranges::find(kRows, ether(type), &Row::layer) != kRows.end();
}

// kCarrierPorts are the UDP ports of the table.
constexpr bool ports_are_those_of_rows() {
  std::size_t count = 0;
  for (const Row& row : kRows) {
    if (row.layer.space != LayerSpace::udp_port) continue;
    if (std::ranges::find(kCarrierPorts, row.layer.number) == kCarrierPorts.end()) return false;
    ++count;
  }
  return count == kCarrierPorts.size();
}
static_assert(ports_are_those_of_rows());

// IEEE 802.3: a length in the EtherType's place, which ends the frame before its padding.
void enter_llc(Walk& walk) {
  const bool is_length = walk.layer.space == LayerSpace::ether_type && walk.layer.number <= kMostLlcOctets;
  if (!is_length || walk.layer.number == kEtherTypeUnknown) return;
  walk.end_at(walk.at + walk.layer.number);
  walk.layer.number = kEtherTypeLlc;
}

}  // namespace

std::uint16_t ether_type_of_ppp(std::uint16_t protocol) {
  constexpr std::uint16_t kFirstControl = 0x8000;  // first number of the network and link control protocols
  switch (protocol) {
    case 0x0021:
      return kEtherTypeIpv4;
    case 0x0057:
      return kEtherTypeIpv6;
    case 0x0281:
      return kEtherTypeMpls;
    default:
      return protocol >= kFirstControl ? kEtherTypeNothing : kEtherTypeUnknown;
  }
}

namespace {

Entering enter(Walk& walk, const Header& header, const Carrier& carrier, Carriers& carriers, Flaw& found) {
  if (walk.headers == kMaxCarriers) {
    found = flaw(Fault::carrier_many, walk.at, walk.headers + 1, kMaxCarriers);
    return Entering::flawed;
  }
  ++walk.headers;
  if (carrier.name != nullptr) carriers.each[carriers.count++] = carrier;
  walk.at += header.octets;
  walk.layer = ether(header.next);
  return Entering::entered;
}

}  // namespace

Entering enter_carrier(Walk& walk, Carriers& carriers, Flaw& found) {
  enter_llc(walk);
  const auto row = std::ranges::find(kRows, walk.layer, &Row::layer);
  if (row == kRows.end()) return Entering::no_carrier;
  const bool is_guess = walk.layer.space == LayerSpace::udp_port;
  const auto is_short = [&](std::size_t octets) {
    if (walk.left() >= octets) return false;
    // A port alone is no proof that this is a tunnel, unless the capture lacks what would show it.
    if (!is_guess || (walk.is_cut() && walk.is_to_port))
      found = flaw(Fault::carrier_short, walk.at, walk.left(), octets);
    return true;
  };
  const auto refused = [&] { return found ? Entering::flawed : Entering::no_carrier; };
  if (is_short(row->least)) return refused();
  Carrier carrier{row->name, row->id_name, 0};
  const Header header = row->read(walk, carrier);
  if (header == kNone) return Entering::no_carrier;
  if (is_short(header.octets)) return refused();
  // The number that announced it says what is not read; a port does not.
  if (header.next == kEtherTypeUnknown && !is_guess) return Entering::no_carrier;
  return enter(walk, header, carrier, carriers, found);
}

// RFC 4391, section 6: an EtherType and two octets that are 0, in an unreliable datagram.
Entering enter_ip_over_infiniband(Walk& walk, Carriers& carriers, Flaw& found) {
  constexpr Octet kSendOnly = 0x64;
  constexpr std::size_t kTransport = 12 + 8, kHeader = kTransport + 4;
  if (walk.left() < kHeader || walk.here()[0] != kSendOnly || word(walk.here() + kTransport + 2) != 0)
    return Entering::no_carrier;
  const std::uint16_t type = word(walk.here() + kTransport);
  const bool is_there = (type == kEtherTypeIpv4 || type == kEtherTypeIpv6) && is_ip(walk, kHeader, type);
  if (!is_there) return Entering::no_carrier;
  return enter(walk, {kHeader, type}, {"ipoib", nullptr, 0}, carriers, found);
}

std::vector<CarrierRow> carrier_rows() {
  std::vector<CarrierRow> rows;
  for (const Row& row : kRows) rows.push_back({row.layer, row.name});
  return rows;
}

std::string Carriers::text() const {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    const Carrier& one = each[i];
    if (!all.empty()) all += ", ";
    all += one.name;
    if (one.id_name != nullptr) all += fmt::format("{}{} {}", one.id_name[0] == '\0' ? "" : " ", one.id_name, one.id);
  }
  return all;
}

}  // namespace wirelaw::pcap
