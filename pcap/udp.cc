// SPDX-License-Identifier: Apache-2.0
#include "pcap/udp.h"

#include <algorithm>

namespace wirelaw::pcap {
namespace {

constexpr std::size_t kSourcePort = 0, kDestinationPort = 2, kLength = 4;  // offsets in the header, in octets

}  // namespace

Flaw decode_udp(const IpPacket& packet, Datagram& datagram) {
  const Octets octets = packet.payload;
  if (octets.size() < kUdpHeader) return flaw(Fault::udp_short, packet.frame_offset, octets.size(), kUdpHeader);
  std::size_t length = load_big_endian<std::uint16_t>(octets.data() + kLength);
  if (length == 0 && packet.wire_length > 0xffff) length = packet.wire_length;  // RFC 2675, section 4
  if (length < kUdpHeader) return flaw(Fault::udp_length_short, packet.frame_offset + kLength, length, kUdpHeader);
  if (length > packet.wire_length)
    return flaw(Fault::udp_length_long, packet.frame_offset + kLength, length, packet.wire_length);

  datagram.frame = packet.frame;
  datagram.time_ns = packet.time_ns;
  datagram.payload = octets.subspan(kUdpHeader, std::min(length, octets.size()) - kUdpHeader);
  datagram.headers = {};
  // A reassembled packet's offset is 0.
  if (packet.header_octets <= packet.frame_offset && !packet.is_authenticated)
    datagram.headers = {octets.data() - packet.header_octets, packet.header_octets + kUdpHeader};
  datagram.wire_length = static_cast<std::uint32_t>(length - kUdpHeader);
  datagram.frame_offset = packet.reassembled ? 0 : packet.frame_offset + static_cast<std::uint32_t>(kUdpHeader);
  datagram.ip_header_octets = packet.header_octets;
  datagram.ip_version = packet.version;
  datagram.reassembled = packet.reassembled;
  datagram.order_unknown = packet.order_unknown;
  datagram.interface = packet.interface;
  datagram.carriers = packet.carriers;
  datagram.is_pdu = false;
  datagram.dissector = {};
  datagram.source.port = load_big_endian<std::uint16_t>(octets.data() + kSourcePort);
  datagram.destination.port = load_big_endian<std::uint16_t>(octets.data() + kDestinationPort);
  datagram.source.address = packet.source;
  datagram.destination.address = packet.destination;
  if (datagram.payload.size() < datagram.wire_length)
    return flaw(Fault::payload_cut, datagram.frame_offset, datagram.payload.size(), datagram.wire_length);
  return {};
}

}  // namespace wirelaw::pcap
