// SPDX-License-Identifier: Apache-2.0
// TCP segments (RFC 9293, section 3.1).
#pragma once

#include <cstdint>

#include "pcap/address.h"
#include "pcap/ip.h"

namespace wirelaw::pcap {

inline constexpr std::size_t kTcpHeader = 20;  // without options

// The control bits, numbered as in the header.
struct TcpFlags {
  static constexpr std::uint8_t kFin = 0x01, kSyn = 0x02, kRst = 0x04, kPsh = 0x08, kAck = 0x10, kUrg = 0x20,
                                kEce = 0x40, kCwr = 0x80;

  std::uint8_t bits = 0;

  constexpr bool fin() const { return (bits & kFin) != 0; }
  constexpr bool syn() const { return (bits & kSyn) != 0; }
  constexpr bool rst() const { return (bits & kRst) != 0; }
  constexpr bool psh() const { return (bits & kPsh) != 0; }
  constexpr bool ack() const { return (bits & kAck) != 0; }
  constexpr bool urg() const { return (bits & kUrg) != 0; }

  bool operator==(const TcpFlags&) const = default;
};

struct Segment {
  std::uint64_t frame = 0;   // 1-based; for a reassembled IP packet the frame that completed it
  std::int64_t time_ns = 0;  // since the epoch
  Endpoint source, destination;
  std::uint32_t seq = 0;  // sequence number of the SYN if there is one, else of the first octet
  std::uint32_t ack = 0;  // valid only if the ACK flag is set
  TcpFlags flags;
  std::uint16_t window = 0;            // as in the header, not scaled
  std::uint16_t mss = 0;               // value of the MSS option; 0 if there is none
  Octets payload;                      // captured; valid until the next segment is read
  std::uint32_t wire_length = 0;       // payload on the wire; more than payload.size() if the snap length cut it
  std::uint32_t frame_offset = 0;      // octet of the frame where the payload begins; 0 if reassembled
  std::uint16_t ip_header_octets = 0;  // IPv4 header with options; IPv6 header with extension headers
  std::uint8_t ip_version = 0;
  std::uint8_t header_octets = 0;      // TCP header with options
  bool reassembled = false;            // from IP fragments
  bool order_unknown = false;          // as in the frame
  std::uint32_t interface = 0;         // as in the frame
  const Carriers* carriers = nullptr;  // as IpPacket::carriers
};

// If the flaw is Fault::payload_cut, the segment is filled in nevertheless. Checksums are not verified, because
// offloading leaves them wrong in correct captures. Options are read up to the first malformed one, as TCP
// implementations do.
Flaw decode_tcp(const IpPacket& packet, Segment& segment);

}  // namespace wirelaw::pcap
