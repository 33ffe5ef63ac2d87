// SPDX-License-Identifier: Apache-2.0
// IPv4 (RFC 791) and IPv6 (RFC 8200) headers, and the extension headers before the transport's.
#pragma once

#include <cstdint>

#include "pcap/address.h"
#include "pcap/flaw.h"
#include "pcap/link.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

struct Carriers;  // pcap/carriers.h

// IANA "Protocol Numbers".
inline constexpr std::uint8_t kProtocolTcp = 6;
inline constexpr std::uint8_t kProtocolAuthentication = 51;
inline constexpr std::uint8_t kProtocolUdp = 17;

// More extension headers than this are malformed; real packets carry one or two.
inline constexpr std::size_t kMaxExtensionHeaders = 16;

// What a frame holds in the place of an IP packet: one of InfiniBand (infiniband.h), or an exported PDU, of which
// nothing but frame and time is read.
enum class PacketKind : std::uint8_t { ip, infiniband, exported_pdu };

// An IP packet cut down to its transport's header and payload.
struct IpPacket {
  std::uint64_t frame = 0;   // for a reassembled packet: the frame that completed it, as in Wireshark
  std::int64_t time_ns = 0;  // packet_time_ns() of that frame
  Address source, destination;
  Octets payload;                   // captured; link padding is not in it
  std::uint32_t wire_length = 0;    // payload on the wire; more than payload.size() if the snap length cut it
  std::uint32_t frame_offset = 0;   // octet of the frame where the payload begins; 0 if reassembled
  std::uint16_t header_octets = 0;  // IPv4 header with options; IPv6 header with extension headers
  std::uint8_t version = 0;         // 4 or 6
  std::uint8_t protocol = 0;        // the payload's protocol
  bool reassembled = false;
  PacketKind kind = PacketKind::ip;
  bool order_unknown = false;          // the frame's flag
  std::uint32_t interface = 0;         // the frame's
  const Carriers* carriers = nullptr;  // below this packet's own IP header; nullptr: none. Valid as the payload is

  struct Fragment {
    bool is_fragment = false;  // if so, the payload is only a part of the packet's
    bool more = false;         // others follow
    std::uint32_t offset = 0;  // where the fragment begins in the packet's payload, in octets
    std::uint32_t id = 0;
  } fragment;
};

// Reads the packet at link.offset of a frame that had `wire_length` octets, at least as many as were captured. Leaves
// frame number and time alone. IP header checksums are not verified: offloading leaves them wrong in honest captures.
Flaw decode_ip(Octets frame, std::uint32_t wire_length, const LinkPayload& link, IpPacket& packet);

// Takes IPv6 extension headers from the front of the payload, up to a transport header or a real fragment.
Flaw skip_extension_headers(IpPacket& packet);

}  // namespace wirelaw::pcap
