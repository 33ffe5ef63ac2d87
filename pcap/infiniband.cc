// SPDX-License-Identifier: Apache-2.0
#include "pcap/infiniband.h"

#include <algorithm>
#include <array>

#include "reference/roce/packet.h"

namespace wirelaw::pcap {
namespace {

namespace lrh {  // octets of the header
constexpr std::size_t kNext = 1, kDestination = 2, kLength = 4, kSource = 6, kHeader = 8;
constexpr std::size_t kLengthUnit = 4;  // the length counts from the first octet to the one before the variant CRC
enum Next : Octet { raw = 0, ipv6 = 1, transport = 2, global = 3 };
}  // namespace lrh

namespace grh {
constexpr std::size_t kVersion = 0, kLength = 4, kNext = 6, kSource = 8, kDestination = 24, kHeader = 40;
}  // namespace grh

void set_gid(Address& address, const Octet* gid) {
  constexpr std::array<Octet, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};  // RFC 4291, section 2.5.5.2
  if (std::equal(kMapped.begin(), kMapped.end(), gid))
    address.set_ipv4(gid + kMapped.size());
  else
    address.set_ipv6(gid);
}

void set_lid(Address& address, const Octet* lid) {
  std::array<Octet, 16> octets{0xfe, 0x80};
  std::copy_n(lid, 2, octets.end() - 2);
  address.set_ipv6(octets.data());
}

void set_payload(const Walk& walk, std::size_t begin, std::size_t end, IpPacket& packet) {
  packet.payload = walk.octets.subspan(begin, std::min(end, walk.octets.size()) - begin);
  packet.wire_length = static_cast<std::uint32_t>(end - begin);
  packet.frame_offset = static_cast<std::uint32_t>(begin);
}

Flaw decode_global(const Walk& walk, IpPacket& packet) {
  if (walk.left() < grh::kHeader) return flaw(Fault::grh_short, walk.at, walk.left(), grh::kHeader);
  const Octet* const header = walk.here();
  if (const unsigned version = header[grh::kVersion] >> 4U; version != 6)
    return flaw(Fault::ip_version, walk.at, version, 6);
  const std::size_t length = load_big_endian<std::uint16_t>(header + grh::kLength);
  const std::size_t available = walk.wire_length - walk.at - grh::kHeader;
  if (length > available) return flaw(Fault::ip_length_long, walk.at + grh::kLength, length, available);
  packet.protocol = header[grh::kNext] == kProtocolInfiniband ? kProtocolInfiniband : kProtocolNone;
  packet.header_octets = grh::kHeader;
  set_gid(packet.source, header + grh::kSource);
  set_gid(packet.destination, header + grh::kDestination);
  set_payload(walk, walk.at + grh::kHeader, walk.at + grh::kHeader + length, packet);
  return {};
}

Flaw decode_local(const Walk& walk, IpPacket& packet) {
  if (walk.left() < lrh::kHeader) return flaw(Fault::lrh_short, walk.at, walk.left(), lrh::kHeader);
  const Octet* const header = walk.here();
  const std::size_t length = (load_big_endian<std::uint16_t>(header + lrh::kLength) & 0x07ffU) * lrh::kLengthUnit;
  const std::size_t available = walk.wire_length - walk.at;
  if (length < lrh::kHeader || length > available)
    return flaw(Fault::ip_length_long, walk.at + lrh::kLength, length, available);
  const Octet next = header[lrh::kNext] & 3U;
  if (next == lrh::global) {
    Walk inner = walk;
    inner.end_at(walk.at + length);
    inner.at += lrh::kHeader;
    const Flaw found = decode_global(inner, packet);
    packet.header_octets = 0;  // the invariant CRC covers the Local Route Header as well
    return found;
  }
  packet.protocol = next == lrh::transport ? kProtocolInfiniband : kProtocolNone;
  packet.header_octets = 0;
  set_lid(packet.source, header + lrh::kSource);
  set_lid(packet.destination, header + lrh::kDestination);
  set_payload(walk, walk.at + lrh::kHeader, walk.at + length, packet);
  return {};
}

}  // namespace

Flaw decode_infiniband(const Walk& walk, IpPacket& packet) {
  packet.version = 0;  // none that IP has
  packet.reassembled = false;
  packet.kind = PacketKind::infiniband;
  packet.fragment = {};
  return walk.layer.number == kEtherTypeRoce ? decode_global(walk, packet) : decode_local(walk, packet);
}

Flaw decode_transport(const IpPacket& packet, Datagram& datagram) {
  datagram.frame = packet.frame;
  datagram.time_ns = packet.time_ns;
  datagram.source = {packet.source, roce::kPort};
  datagram.destination = {packet.destination, roce::kPort};
  datagram.payload = packet.payload;
  datagram.headers = {};
  if (packet.header_octets > 0 && packet.header_octets <= packet.frame_offset)
    datagram.headers = {packet.payload.data() - packet.header_octets, packet.header_octets};
  datagram.wire_length = packet.wire_length;
  datagram.frame_offset = packet.reassembled ? 0 : packet.frame_offset;
  datagram.ip_header_octets = 0;
  datagram.ip_version = 0;
  datagram.reassembled = packet.reassembled;
  datagram.order_unknown = packet.order_unknown;
  datagram.carriers = packet.carriers;
  datagram.is_pdu = false;
  datagram.dissector = {};
  if (datagram.payload.size() < datagram.wire_length)
    return flaw(Fault::payload_cut, datagram.frame_offset, datagram.payload.size(), datagram.wire_length);
  return {};
}

}  // namespace wirelaw::pcap
