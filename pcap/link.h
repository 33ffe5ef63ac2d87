// SPDX-License-Identifier: Apache-2.0
// From a frame to what its link announces: the links that can carry IP, and the one that has exported PDUs in their
// place. One table. Tags and tunnels between the link and IP are read in pcap/carriers.h.
#pragma once

#include <cstdint>

#include "pcap/flaw.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// EtherType values (IANA "IEEE 802 Numbers"); links without one are translated to them.
inline constexpr std::uint16_t kEtherTypeIpv4 = 0x0800;
inline constexpr std::uint16_t kEtherTypeIpv6 = 0x86dd;

inline constexpr int kLinkTypeEthernet = 1;
inline constexpr int kLinkTypeNflog = 239;
inline constexpr int kLinkTypeExportedPdu = 252;  // LINKTYPE_WIRESHARK_UPPER_PDU

struct LinkPayload {
  std::uint16_t ether_type = 0;  // 0 if the link announces nothing that EtherType has a name for
  std::uint32_t offset = 0;      // octet of the frame where what it announces begins
};

struct LinkType {
  int number;                                         // LINKTYPE_
  const char* name;                                   // for people
  Flaw (*strip)(Octets frame, LinkPayload& payload);  // nullptr: its frames are exported PDUs, and hold no IP
};

// nullptr for a link that nothing can be read from.
const LinkType* find_link_type(int number);

}  // namespace wirelaw::pcap
