// SPDX-License-Identifier: Apache-2.0
// InfiniBand packets below the transport layer (InfiniBand Architecture 7.7, 8.3): Local and Global Route Header. In
// RoCE version 1 (Annex A16), Ethernet carries the Global Route Header. The rest is what RoCEv2 carries in UDP, and is
// read as such a datagram. Its addresses are the two GIDs, as IPv6 addresses, or as IPv4 addresses if the GIDs map
// those. Without a Global Route Header they are link-local IPv6 addresses that end in the two LIDs.
#pragma once

#include "pcap/carriers.h"
#include "pcap/flaw.h"
#include "pcap/ip.h"
#include "pcap/udp.h"

namespace wirelaw::pcap {

inline constexpr std::uint16_t kEtherTypeRoce = 0x8915;  // a Global Route Header follows

constexpr bool announces_infiniband(const Layer& layer) {
  return layer.space == LayerSpace::ether_type && (layer.number == kEtherTypeRoce || layer.number == kEtherTypeLrh);
}

// Reads the packet that begins at `walk`. Does not set frame number and time. A packet without a transport header has
// the protocol kProtocolNone.
inline constexpr std::uint8_t kProtocolInfiniband = 0x1b;  // GRH: NxtHdr
inline constexpr std::uint8_t kProtocolNone = 59;
Flaw decode_infiniband(const Walk& walk, IpPacket& packet);

// Reads `packet` as if UDP had carried it. If the flaw is Fault::payload_cut, the datagram is filled in nevertheless.
Flaw decode_transport(const IpPacket& packet, Datagram& datagram);

}  // namespace wirelaw::pcap
