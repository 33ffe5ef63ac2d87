// SPDX-License-Identifier: Apache-2.0
#include "pcap/link.h"

#include <algorithm>
#include <array>

#include "pcap/carriers.h"
#include "pcap/ethernet.h"
#include "pcap/infiniband.h"
#include "pcap/link_headers.h"
#include "pcap/mpacket.h"
#include "pcap/read_tables.h"

namespace wirelaw::pcap {
namespace {

// Layout of the headers, in octets.
constexpr std::size_t kCookedType = 14, kCookedHeader = 16;   // LINKTYPE_LINUX_SLL
constexpr std::size_t kCooked2Type = 0, kCooked2Header = 20;  // LINKTYPE_LINUX_SLL2
constexpr std::size_t kLoopbackHeader = 4;                    // the protocol family

template <std::size_t type_at, std::size_t header, Fault shortage>
Flaw strip_typed(Octets frame, LinkPayload& payload) {
  if (frame.size() < header) return flaw(shortage, 0, frame.size(), header);
  payload = {load_big_endian<std::uint16_t>(frame.data() + type_at), header};
  return {};
}

// Linux marks 802.2 frames with its own number (ETH_P_802_2).
template <std::size_t type_at, std::size_t header>
Flaw strip_cooked(Octets frame, LinkPayload& payload) {
  constexpr std::uint16_t kLinux8022 = 4;
  const Flaw found = strip_typed<type_at, header, Fault::cooked_short>(frame, payload);
  if (payload.ether_type == kLinux8022) payload.ether_type = kEtherTypeLlc;
  return found;
}

// Only the version distinguishes IPv4 from IPv6 in raw IP.
Flaw strip_raw(Octets frame, LinkPayload& payload) {
  if (frame.empty()) return flaw(Fault::ipv4_short, 0, 0, 20);
  payload = {(frame[0] >> 4) == 6 ? kEtherTypeIpv6 : kEtherTypeIpv4, 0};
  return {};
}

template <std::uint16_t ether_type>
Flaw strip_nothing(Octets, LinkPayload& payload) {
  payload = {ether_type, 0};
  return {};
}

// The protocol family is in the byte order of the capturing machine (LINKTYPE_NULL) or in network order
// (LINKTYPE_LOOP). Families are small numbers, so the byte order that gives a small number is the right one.
Flaw strip_loopback(Octets frame, LinkPayload& payload) {
  if (frame.size() < kLoopbackHeader) return flaw(Fault::loopback_short, 0, frame.size(), kLoopbackHeader);
  std::uint32_t family = load_little_endian<std::uint32_t>(frame.data());
  if (family > 0xffff) family = load_big_endian<std::uint32_t>(frame.data());
  // AF_INET is 2 everywhere; AF_INET6 is 24 (NetBSD, OpenBSD), 28 (FreeBSD), 30 (macOS), 10 (Linux), 23 (Windows).
  constexpr std::array<std::uint32_t, 5> kInet6{24, 28, 30, 10, 23};
  const bool v6 = std::find(kInet6.begin(), kInet6.end(), family) != kInet6.end();
  payload = {v6 ? kEtherTypeIpv6 : family == 2 ? kEtherTypeIpv4 : std::uint16_t{0}, kLoopbackHeader};
  return {};
}

constexpr std::array kLinkTypes{
    LinkType{kLinkTypeEthernet, "Ethernet", strip_typed<kEthernetType, kEthernetHeader, Fault::ethernet_short>},
    LinkType{113, "Linux cooked v1", strip_cooked<kCookedType, kCookedHeader>},
    LinkType{276, "Linux cooked v2", strip_cooked<kCooked2Type, kCooked2Header>},
    LinkType{101, "raw IP", strip_raw},
    LinkType{12, "raw IP", strip_raw},  // DLT_RAW, which some programs write to files
    LinkType{14, "raw IP", strip_raw},  // the same on OpenBSD
    LinkType{228, "raw IPv4", strip_nothing<kEtherTypeIpv4>},
    LinkType{229, "raw IPv6", strip_nothing<kEtherTypeIpv6>},
    LinkType{0, "BSD loopback", strip_loopback},
    LinkType{108, "OpenBSD loopback", strip_loopback},
    LinkType{kLinkTypeExportedPdu, "Wireshark exported PDU", nullptr},
    LinkType{9, "PPP", strip_ppp},
    LinkType{50, "PPP in HDLC framing", strip_ppp},
    LinkType{51, "PPPoE", strip_nothing<kEtherTypePppoe>},
    LinkType{104, "Cisco HDLC", strip_cisco_hdlc},
    LinkType{204, "PPP with direction", strip_in<1, strip_ppp>},
    LinkType{205, "Cisco HDLC with direction", strip_in<1, strip_cisco_hdlc>},
    LinkType{105, "IEEE 802.11", strip_wireless},
    LinkType{127, "IEEE 802.11 with radiotap", strip_radiotap},
    LinkType{192, "PPI", strip_ppi},
    LinkType{197, "ERF", strip_erf},
    LinkType{kLinkTypeNflog, "NFLOG", strip_nflog},
    LinkType{240, "netANALYZER", strip_in<4, strip_ethernet>},
    LinkType{241, "netANALYZER transparent", strip_in<12, strip_ethernet>},  // with the preamble
    LinkType{242, "IP over InfiniBand", strip_typed<40, 44, Fault::link_short>},
    LinkType{247, "InfiniBand", strip_nothing<kEtherTypeLrh>},
    LinkType{258, "PKTAP", strip_pktap},
    LinkType{kLinkTypeUser2, "PKTAP with the number of DLT_USER2", strip_user2},
    LinkType{kLinkTypeMpacket, "mpacket", strip_mpacket},
    LinkType{281, "Ethernet with Broadcom tag", strip_ethernet_with<4>},
    LinkType{282, "Ethernet after Broadcom tag", strip_in<4, strip_ethernet>},
    LinkType{284, "Ethernet with DSA tag", strip_ethernet_with<4>},
    LinkType{285, "Ethernet with DSA EtherType tag", strip_ethernet_with<8>},
};

}  // namespace

std::span<const LinkType> link_types() {
  return kLinkTypes;
}

const LinkType* find_link_type(int number) {
  const auto found =
      std::find_if(kLinkTypes.begin(), kLinkTypes.end(), [&](const LinkType& link) { return link.number == number; });
  return found == kLinkTypes.end() ? nullptr : &*found;
}

}  // namespace wirelaw::pcap
