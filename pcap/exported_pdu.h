// SPDX-License-Identifier: Apache-2.0
// Wireshark's exported PDUs (LINKTYPE_WIRESHARK_UPPER_PDU): a packet of any protocol without lower layers, after tags
// that name its dissector and its two ends. They hold packets that no IP network carried, such as SRD's.
#pragma once

#include <cstdint>

#include "pcap/flaw.h"
#include "pcap/udp.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// The tags that are read or written; others are skipped. A tag has a 16-bit number, the 16-bit length of its value,
// both big-endian, and the value. The length includes the padding to four octets.
namespace pdu_tag {
inline constexpr std::uint16_t kEnd = 0;
inline constexpr std::uint16_t kDissectorName = 12;
inline constexpr std::uint16_t kHeuristicName = 13;  // names a heuristic dissector
inline constexpr std::uint16_t kTableName = 14;      // names a dissector table
inline constexpr std::uint16_t kIpv4Source = 20;
inline constexpr std::uint16_t kIpv4Destination = 21;
inline constexpr std::uint16_t kIpv6Source = 22;
inline constexpr std::uint16_t kIpv6Destination = 23;
// The kind of both ports; EFA's queue pairs have no number in this field.
inline constexpr std::uint16_t kPortType = 24;
inline constexpr std::uint16_t kSourcePort = 25;       // 32 bits, like the next
inline constexpr std::uint16_t kDestinationPort = 26;  // also for transports with 16-bit ports
}  // namespace pdu_tag

inline constexpr std::size_t kPduTag = 4;  // octets of a tag before its value

// Reads the PDU of a frame that had `wire_length` octets, which is at least the captured length. If a tag occurs twice,
// the last one counts, as in Wireshark. Both addresses and both ports are required, because they identify the sender.
// If the flaw is Fault::payload_cut, the datagram is filled in nevertheless. Does not set frame number and time.
Flaw decode_exported_pdu(Octets frame, std::uint32_t wire_length, Datagram& datagram);

}  // namespace wirelaw::pcap
