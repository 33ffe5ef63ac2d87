// SPDX-License-Identifier: Apache-2.0
#include "pcap/ip.h"

#include <algorithm>

namespace wirelaw::pcap {
namespace {

namespace v4 {  // RFC 791, section 3.1: octets of the header
constexpr std::size_t kVersionAndLength = 0, kTotalLength = 2, kId = 4, kFragment = 6, kProtocol = 9, kSource = 12,
                      kDestination = 16, kHeader = 20;
constexpr std::uint16_t kMoreFragments = 0x2000, kFragmentOffset = 0x1fff;  // in units of eight octets
}  // namespace v4

namespace v6 {  // RFC 8200, section 3
constexpr std::size_t kPayloadLength = 4, kNextHeader = 6, kSource = 8, kDestination = 24, kHeader = 40;
}  // namespace v6

// RFC 8200, section 4: the length field does not count the first part. AH counts its length in another way (RFC 4302).
struct ExtensionHeader {
  std::uint8_t number;
  std::uint8_t unit;   // octets per unit of the length field
  std::uint8_t fixed;  // octets that the length field does not count
};
constexpr std::uint8_t kHopByHop = 0, kFragmentHeader = 44;
constexpr ExtensionHeader kExtensionHeaders[] = {
    {kHopByHop, 8, 8},  // hop-by-hop options
    {43, 8, 8},         // routing
    {60, 8, 8},         // destination options
    {kProtocolAuthentication, 4, 8},
    {kFragmentHeader, 0, 8},  // no length field
};
constexpr std::size_t kExtensionMinimum = 8;

const ExtensionHeader* find_extension_header(std::uint8_t number) {
  for (const ExtensionHeader& header : kExtensionHeaders)
    if (header.number == number) return &header;
  return nullptr;
}

// Segmentation offload leaves the length 0 in packets that it will still cut. Only TCP has that, and Wireshark reads
// such packets likewise.
bool is_offloaded(std::size_t length_field, std::uint8_t protocol) {
  return length_field == 0 && protocol == kProtocolTcp;
}

void set_payload(IpPacket& packet, Octets frame, std::size_t offset, std::size_t wire_length) {
  packet.payload = frame.subspan(offset, std::min(wire_length, frame.size() - offset));
  packet.wire_length = static_cast<std::uint32_t>(wire_length);
  packet.frame_offset = static_cast<std::uint32_t>(offset);
}

Flaw decode_ipv4(Octets frame, std::size_t wire_length, std::size_t at, IpPacket& packet) {
  const std::size_t captured = frame.size() - at;
  const std::size_t available = wire_length - at;
  if (captured < v4::kHeader) return flaw(Fault::ipv4_short, at, captured, v4::kHeader);
  const Octet* header = frame.data() + at;
  const std::size_t header_octets = std::size_t{header[v4::kVersionAndLength] & 0x0fU} * 4;
  if (header_octets < v4::kHeader) return flaw(Fault::ipv4_header_length, at, header_octets, v4::kHeader);
  if (captured < header_octets) return flaw(Fault::ipv4_short, at, captured, header_octets);

  packet.protocol = header[v4::kProtocol];
  std::size_t total = load_big_endian<std::uint16_t>(header + v4::kTotalLength);
  if (is_offloaded(total, packet.protocol)) total = available;
  if (total < header_octets) return flaw(Fault::ipv4_total_length, at + v4::kTotalLength, total, header_octets);
  if (total > available) return flaw(Fault::ip_length_long, at + v4::kTotalLength, total, available);

  packet.version = 4;
  packet.header_octets = static_cast<std::uint16_t>(header_octets);
  packet.source.set_ipv4(header + v4::kSource);
  packet.destination.set_ipv4(header + v4::kDestination);
  set_payload(packet, frame, at + header_octets, total - header_octets);

  const auto fragment = load_big_endian<std::uint16_t>(header + v4::kFragment);
  packet.fragment = {};
  if ((fragment & (v4::kMoreFragments | v4::kFragmentOffset)) != 0)
    packet.fragment = {true, (fragment & v4::kMoreFragments) != 0, (fragment & v4::kFragmentOffset) * 8U,
                       load_big_endian<std::uint16_t>(header + v4::kId)};
  packet.is_authenticated = false;
  if (packet.protocol == kProtocolAuthentication) [[unlikely]]
    return skip_authentication_header(packet);
  return {};
}

// Returns the value of the jumbo payload option (RFC 2675, section 2) in the hop-by-hop options at the front of
// `octets`; 0 if there is none.
std::size_t jumbo_payload_length(Octets octets) {
  constexpr Octet kPad1 = 0, kJumboPayload = 0xc2;
  constexpr std::size_t kLength = 4;
  if (octets.size() < kExtensionMinimum) return 0;
  const std::size_t end = std::min(octets.size(), 8 + octets[1] * std::size_t{8});
  for (std::size_t at = 2; at + 2 <= end;) {
    if (octets[at] == kPad1) {
      ++at;
      continue;
    }
    const std::size_t length = octets[at + 1];
    if (octets[at] == kJumboPayload && length == kLength && at + 2 + kLength <= end)
      return load_big_endian<std::uint32_t>(octets.data() + at + 2);
    at += 2 + length;
  }
  return 0;
}

[[gnu::noinline]] Flaw decode_ipv6(Octets frame, std::size_t wire_length, std::size_t at, IpPacket& packet) {
  const std::size_t captured = frame.size() - at;
  if (captured < v6::kHeader) return flaw(Fault::ipv6_short, at, captured, v6::kHeader);
  const Octet* header = frame.data() + at;
  const std::size_t available = wire_length - at - v6::kHeader;
  packet.protocol = header[v6::kNextHeader];
  std::size_t length = load_big_endian<std::uint16_t>(header + v6::kPayloadLength);
  if (length == 0 && packet.protocol == kHopByHop) {
    length = jumbo_payload_length(frame.subspan(at + v6::kHeader));
    if (length == 0) return flaw(Fault::ipv6_jumbogram, at + v6::kPayloadLength);
  }
  if (is_offloaded(length, packet.protocol)) length = available;
  if (length > available)
    return flaw(Fault::ip_length_long, at + v6::kPayloadLength, length + v6::kHeader, available + v6::kHeader);

  packet.version = 6;
  packet.header_octets = v6::kHeader;
  packet.source.set_ipv6(header + v6::kSource);
  packet.destination.set_ipv6(header + v6::kDestination);
  packet.fragment = {};
  packet.is_authenticated = false;
  set_payload(packet, frame, at + v6::kHeader, length);
  return skip_extension_headers(packet);
}

// RFC 8200, section 4.5. An "atomic" fragment (the whole packet, RFC 6946) needs no reassembly.
void read_fragment_header(const Octet* header, IpPacket& packet) {
  const auto offset_and_more = load_big_endian<std::uint16_t>(header + 2);
  const bool more = (offset_and_more & 1U) != 0;
  const std::uint32_t offset = offset_and_more & 0xfff8U;
  if (more || offset != 0) packet.fragment = {true, more, offset, load_big_endian<std::uint32_t>(header + 4)};
}

}  // namespace

Flaw skip_extension_headers(IpPacket& packet) {
  for (std::size_t seen = 0; !packet.fragment.is_fragment; ++seen) {
    const ExtensionHeader* kind = find_extension_header(packet.protocol);
    if (kind == nullptr) return {};
    if (seen == kMaxExtensionHeaders)
      return flaw(Fault::ipv6_extension_many, packet.frame_offset, seen + 1, kMaxExtensionHeaders);
    std::size_t length = kExtensionMinimum;
    if (packet.payload.size() >= length) length = kind->fixed + std::size_t{packet.payload[1]} * kind->unit;
    if (packet.payload.size() < length)
      return flaw(Fault::ipv6_extension_short, packet.frame_offset, packet.payload.size(), length);
    if (kind->number == kFragmentHeader) read_fragment_header(packet.payload.data(), packet);
    packet.protocol = packet.payload[0];
    packet.payload = packet.payload.subspan(length);
    packet.wire_length -= static_cast<std::uint32_t>(length);
    packet.frame_offset += static_cast<std::uint32_t>(length);
    packet.header_octets = static_cast<std::uint16_t>(packet.header_octets + length);
  }
  return {};
}

Flaw skip_authentication_header(IpPacket& packet) {
  if (packet.protocol != kProtocolAuthentication || packet.fragment.is_fragment) return {};
  const std::uint16_t header_octets = packet.header_octets;
  const Flaw found = skip_extension_headers(packet);
  packet.header_octets = header_octets;
  packet.is_authenticated = true;
  return found;
}

Flaw decode_ip(Octets frame, std::uint32_t wire_length, const LinkPayload& link, IpPacket& packet) {
  const bool is_v6 = link.ether_type == kEtherTypeIpv6;
  packet.reassembled = false;
  packet.kind = PacketKind::ip;
  if (frame.size() > link.offset) {
    const unsigned version = frame[link.offset] >> 4U;
    const unsigned announced = is_v6 ? 6 : 4;
    if (version != announced) return flaw(Fault::ip_version, link.offset, version, announced);
  }
  return is_v6 ? decode_ipv6(frame, wire_length, link.offset, packet)
               : decode_ipv4(frame, wire_length, link.offset, packet);
}

}  // namespace wirelaw::pcap
