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

// Kinds of packet in a frame: IP, InfiniBand (infiniband.h), or an exported PDU. For an exported PDU, only frame and
// time are set.
enum class PacketKind : std::uint8_t { ip, infiniband, exported_pdu };

// An IP packet, reduced to the header and payload of its transport.
struct IpPacket {
  std::uint64_t frame = 0;   // for a reassembled packet: the frame that completed it, as in Wireshark
  std::int64_t time_ns = 0;  // packet_time_ns() of that frame
  Address source, destination;
  Octets payload;                   // captured, without link padding
  std::uint32_t wire_length = 0;    // payload on the wire; more than payload.size() if the snap length cut it
  std::uint32_t frame_offset = 0;   // octet of the frame where the payload begins; 0 if reassembled
  std::uint16_t header_octets = 0;  // IPv4 header with options; IPv6 header with extension headers
  std::uint8_t version = 0;         // 4 or 6
  std::uint8_t protocol = 0;        // protocol of the payload
  bool reassembled = false;
  bool is_authenticated = false;  // IPv4: an Authentication Header is between the IP header and the payload
  PacketKind kind = PacketKind::ip;
  bool order_unknown = false;   // as in the frame
  std::uint32_t interface = 0;  // as in the frame
  // Carriers outside this packet's IP header; nullptr: none. Valid as long as the payload.
  const Carriers* carriers = nullptr;

  struct Fragment {
    bool is_fragment = false;  // true: the payload is only a part of the packet's payload
    bool more = false;         // more fragments follow
    std::uint32_t offset = 0;  // start of the fragment in the packet's payload, in octets
    std::uint32_t id = 0;
  } fragment;
};

// Reads the packet at link.offset of a frame that had `wire_length` octets, which is at least the captured length. Does
// not set frame number and time. IP header checksums are not verified, because offloading leaves them wrong in correct
// captures.
Flaw decode_ip(Octets frame, std::uint32_t wire_length, const LinkPayload& link, IpPacket& packet);

// Takes IPv6 extension headers from the front of the payload, up to a transport header or a real fragment.
Flaw skip_extension_headers(IpPacket& packet);
// The same for the headers between an IPv4 header and its transport: only the Authentication Header (RFC 4302) has the
// form of an extension header there, and it is no part of the IPv4 header. For the packet itself, not for a fragment.
Flaw skip_authentication_header(IpPacket& packet);

}  // namespace wirelaw::pcap
