// SPDX-License-Identifier: Apache-2.0
// UDP (RFC 768).
#pragma once

#include <cstdint>
#include <string_view>

#include "pcap/address.h"
#include "pcap/ip.h"

namespace wirelaw::pcap {

inline constexpr std::size_t kUdpHeader = 8;

// A UDP datagram, or an exported PDU (exported_pdu.h).
struct Datagram {
  std::uint64_t frame = 0;   // 1-based; for a reassembled datagram the frame that completed it
  std::int64_t time_ns = 0;  // since the epoch
  Endpoint source, destination;
  Octets payload;                      // captured; valid until the next datagram is read
  Octets headers;                      // IP and UDP headers, as captured; empty for a reassembled datagram or a PDU
  std::uint32_t wire_length = 0;       // payload on the wire; more than payload.size() if the snap length cut it
  std::uint32_t frame_offset = 0;      // octet of the frame where the payload begins; 0 if reassembled
  std::uint16_t ip_header_octets = 0;  // IPv4 header with options; IPv6 header with extension headers
  std::uint8_t ip_version = 0;         // 4 or 6; 0: no IP header was seen
  bool reassembled = false;            // from IP fragments
  bool order_unknown = false;          // as in the frame
  std::uint32_t interface = 0;         // as in the frame
  const Carriers* carriers = nullptr;  // as IpPacket::carriers
  bool is_pdu = false;                 // an exported PDU, which no IP packet carries
  std::string_view dissector = {};     // the payload's dissector in an exported PDU; valid as long as the frame
};

// If the flaw is Fault::payload_cut, the datagram is filled in nevertheless. Checksums are not verified, because
// offloading leaves them wrong in correct captures.
Flaw decode_udp(const IpPacket& packet, Datagram& datagram);

}  // namespace wirelaw::pcap
