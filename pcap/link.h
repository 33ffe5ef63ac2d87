// SPDX-License-Identifier: Apache-2.0
// Reads the link header of a frame: links that can carry IP, and exported PDUs. One table. Tags and tunnels between the
// link and IP are read in pcap/carriers.h.
#pragma once

#include <cstdint>

#include "pcap/flaw.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// EtherType values (IANA "IEEE 802 Numbers"); links without one are translated to them.
inline constexpr std::uint16_t kEtherTypeIpv4 = 0x0800;
inline constexpr std::uint16_t kEtherTypeIpv6 = 0x86dd;

inline constexpr int kLinkTypeEthernet = 1;
inline constexpr int kLinkTypeUser2 = 149;
inline constexpr int kLinkTypeNflog = 239;
inline constexpr int kLinkTypeExportedPdu = 252;  // LINKTYPE_WIRESHARK_UPPER_PDU

struct LinkPayload {
  std::uint16_t ether_type = 0;  // 0 if the link header has no equivalent EtherType
  std::uint32_t offset = 0;      // start of the link's payload in the frame
};

struct LinkType {
  int number;                                         // LINKTYPE_
  const char* name;                                   // shown to users
  Flaw (*strip)(Octets frame, LinkPayload& payload);  // nullptr: its frames are exported PDUs, without IP
};

// nullptr for a link type that cannot be read.
const LinkType* find_link_type(int number);

}  // namespace wirelaw::pcap
