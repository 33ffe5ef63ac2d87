// SPDX-License-Identifier: Apache-2.0
// Wireshark's exported PDUs (LINKTYPE_WIRESHARK_UPPER_PDU): a packet of any protocol without what carried it, after
// tags that name its dissector and its two ends. It is how packets travel in captures that no network carried: SRD's.
#pragma once

#include <cstdint>

#include "pcap/flaw.h"
#include "pcap/udp.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// The tags that are read or written; any other is passed over. A tag is its number and the length of its value, both
// 16 bits and big-endian, and the value. The padding to four octets belongs to the value, and counts.
namespace pdu_tag {
inline constexpr std::uint16_t kEnd = 0;
inline constexpr std::uint16_t kDissectorName = 12;
inline constexpr std::uint16_t kHeuristicName = 13;  // names a heuristic dissector
inline constexpr std::uint16_t kTableName = 14;      // names a dissector table
inline constexpr std::uint16_t kIpv4Source = 20;
inline constexpr std::uint16_t kIpv4Destination = 21;
inline constexpr std::uint16_t kIpv6Source = 22;
inline constexpr std::uint16_t kIpv6Destination = 23;
inline constexpr std::uint16_t kPortType = 24;  // what kind of port the two are; EFA's queue pairs have no number there
inline constexpr std::uint16_t kSourcePort = 25;       // 32 bits, as the next
inline constexpr std::uint16_t kDestinationPort = 26;  // also for transports with 16-bit ports
}  // namespace pdu_tag

inline constexpr std::size_t kPduTag = 4;  // octets of a tag without its value

// Reads the PDU of a frame that had `wire_length` octets, at least as many as were captured. If a tag comes twice
// the last holds, as in Wireshark. Both addresses and both ports are needed: without them it is unknown whose packet
// it is. Fault::payload_cut is a flaw with which the datagram is filled in nevertheless. Leaves frame number and time
// alone.
Flaw decode_exported_pdu(Octets frame, std::uint32_t wire_length, Datagram& datagram);

}  // namespace wirelaw::pcap
