// SPDX-License-Identifier: Apache-2.0
#include "pcap/tcp.h"

namespace wirelaw::pcap {
namespace {

// Offsets in the header, in octets.
constexpr std::size_t kSourcePort = 0, kDestinationPort = 2, kSequence = 4, kAcknowledgment = 8, kDataOffset = 12,
                      kFlags = 13, kWindow = 14;
constexpr Octet kOptionEnd = 0, kOptionNothing = 1, kOptionMss = 2;
constexpr std::size_t kMssLength = 4, kOptionHeader = 2;

// Returns the value of the MSS option (RFC 9293, section 3.7.1); 0 if there is none.
std::uint16_t find_mss(Octets options) {
  while (!options.empty() && options[0] != kOptionEnd) {
    if (options[0] == kOptionNothing) {
      options = options.subspan(1);
      continue;
    }
    if (options.size() < kOptionHeader) return 0;
    const std::size_t length = options[1];
    if (length < kOptionHeader || length > options.size()) return 0;
    if (options[0] == kOptionMss && length == kMssLength)
      return load_big_endian<std::uint16_t>(options.data() + kOptionHeader);
    options = options.subspan(length);
  }
  return 0;
}

}  // namespace

Flaw decode_tcp(const IpPacket& packet, Segment& segment) {
  const Octets octets = packet.payload;
  if (octets.size() < kTcpHeader) return flaw(Fault::tcp_short, packet.frame_offset, octets.size(), kTcpHeader);
  const std::size_t header = std::size_t{octets[kDataOffset]} / 16 * 4;
  if (header < kTcpHeader) return flaw(Fault::tcp_header_length, packet.frame_offset + kDataOffset, header, kTcpHeader);
  if (header > packet.wire_length)
    return flaw(Fault::tcp_header_long, packet.frame_offset + kDataOffset, header, packet.wire_length);
  if (header > octets.size()) return flaw(Fault::tcp_short, packet.frame_offset, octets.size(), header);

  segment.frame = packet.frame;
  segment.time_ns = packet.time_ns;
  segment.seq = load_big_endian<std::uint32_t>(octets.data() + kSequence);
  segment.ack = load_big_endian<std::uint32_t>(octets.data() + kAcknowledgment);
  segment.flags = {octets[kFlags]};
  segment.window = load_big_endian<std::uint16_t>(octets.data() + kWindow);
  segment.mss = segment.flags.syn() ? find_mss(octets.subspan(kTcpHeader, header - kTcpHeader)) : std::uint16_t{0};
  segment.payload = octets.subspan(header);
  segment.wire_length = packet.wire_length - static_cast<std::uint32_t>(header);
  segment.frame_offset = packet.reassembled ? 0 : packet.frame_offset + static_cast<std::uint32_t>(header);
  segment.ip_header_octets = packet.header_octets;
  segment.ip_version = packet.version;
  segment.header_octets = static_cast<std::uint8_t>(header);
  segment.reassembled = packet.reassembled;
  segment.order_unknown = packet.order_unknown;
  segment.interface = packet.interface;
  segment.carriers = packet.carriers;
  segment.source.port = load_big_endian<std::uint16_t>(octets.data() + kSourcePort);
  segment.destination.port = load_big_endian<std::uint16_t>(octets.data() + kDestinationPort);
  segment.source.address = packet.source;
  segment.destination.address = packet.destination;
  if (segment.payload.size() < segment.wire_length)
    return flaw(Fault::payload_cut, segment.frame_offset, segment.payload.size(), segment.wire_length);
  return {};
}

}  // namespace wirelaw::pcap
