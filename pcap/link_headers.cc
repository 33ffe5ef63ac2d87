// SPDX-License-Identifier: Apache-2.0
#include "pcap/link_headers.h"

#include <algorithm>

#include "pcap/carriers.h"
#include "pcap/infiniband.h"
#include "pcap/mpacket.h"

namespace wirelaw::pcap {
namespace {

Flaw link_short(Octets frame, std::size_t need) {
  return flaw(Fault::link_short, 0, frame.size(), need);
}

// Reports a complete frame that has no content for this reader.
Flaw nothing(LinkPayload& payload, std::size_t at, std::uint16_t ether_type = kEtherTypeNothing) {
  payload = {ether_type, static_cast<std::uint32_t>(at)};
  return {};
}

std::uint16_t word_at(Octets frame, std::size_t at) {
  return load_big_endian<std::uint16_t>(frame.data() + at);
}

// Finds a link that may follow a header which names it. nullptr: it cannot be read.
const LinkType* find_inner_link(std::uint32_t number) {
  constexpr std::uint32_t kMost = 0xffff;
  const LinkType* const link = number > kMost ? nullptr : find_link_type(static_cast<int>(number));
  const bool nests =
      link != nullptr && (link->strip == strip_ppi || link->strip == strip_pktap || link->strip == strip_user2);
  return link == nullptr || link->strip == nullptr || nests ? nullptr : link;
}

// Reads the link header after a header that names its link type.
Flaw strip_link(std::uint32_t link_type, std::size_t skip, Octets frame, LinkPayload& payload) {
  const LinkType* const link = find_inner_link(link_type);
  if (link == nullptr) return nothing(payload, std::min(skip, frame.size()), 0);
  return strip_after(skip, link->strip, frame, payload);
}

}  // namespace

Flaw strip_after(std::size_t skip, StripLink strip, Octets frame, LinkPayload& payload) {
  if (frame.size() < skip) return link_short(frame, skip);
  Flaw found = strip(frame.subspan(skip), payload);
  payload.offset += static_cast<std::uint32_t>(skip);
  found.offset += static_cast<std::uint32_t>(skip);
  return found;
}

Flaw strip_ethernet(Octets frame, LinkPayload& payload) {
  return strip_ethernet_with<0>(frame, payload);
}

// The address and control fields may be missing. The protocol has one octet if it is compressed (RFC 1661, section
// 6.5).
Flaw strip_ppp(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kLeast = 4;
  if (frame.size() < kLeast) return link_short(frame, kLeast);
  if (frame[0] == 0x0f || frame[0] == 0x8f)
    return strip_cisco_hdlc(frame, payload);  // Cisco HDLC, which link type 50 may carry too
  const std::size_t at = frame[0] == 0xff && frame[1] == 0x03 ? 2 : 0;
  const bool compressed = (frame[at] & 1U) != 0;
  const std::uint16_t protocol = compressed ? frame[at] : word_at(frame, at);
  return nothing(payload, at + (compressed ? 1 : 2), ether_type_of_ppp(protocol));
}

Flaw strip_cisco_hdlc(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kType = 2, kHeader = 4;
  constexpr std::uint16_t kKeepalive = 0x8035;
  if (frame.size() < kHeader) return link_short(frame, kHeader);
  payload = {word_at(frame, kType), kHeader};
  if (payload.ether_type == kKeepalive) payload.ether_type = kEtherTypeNothing;
  return {};
}

Flaw strip_wireless(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kHeader = 24, kFourthAddress = 6, kQos = 2, kHighThroughput = 4;
  constexpr unsigned kData = 2, kNullBit = 4, kQosBit = 8, kProtected = 0x40, kOrder = 0x80, kAggregate = 0x80;
  if (frame.size() < 2) return link_short(frame, 2);
  const unsigned type = frame[0] >> 2U & 3U, subtype = frame[0] >> 4U, flags = frame[1];
  if (type != kData || (subtype & kNullBit) != 0) return nothing(payload, 2);
  std::size_t header = kHeader;
  if ((flags & 3U) == 3) header += kFourthAddress;
  const std::size_t qos_at = header;
  if ((subtype & kQosBit) != 0) header += kQos + ((flags & kOrder) != 0 ? kHighThroughput : 0);
  if (frame.size() < header) return link_short(frame, header);
  const bool aggregate = (subtype & kQosBit) != 0 && (frame[qos_at] & kAggregate) != 0;
  if ((flags & kProtected) != 0 || aggregate) return nothing(payload, header, 0);
  payload = {kEtherTypeLlc, static_cast<std::uint32_t>(header)};
  return {};
}

// Reads only the flags, which show whether padding follows the IEEE 802.11 header.
Flaw strip_radiotap(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kLength = 2, kPresent = 4, kLeast = 8;
  constexpr std::uint32_t kMore = 1U << 31U, kTime = 1, kFlags = 2;
  constexpr Octet kPadded = 0x20;
  if (frame.size() < kLeast) return link_short(frame, kLeast);
  const std::size_t length = load_little_endian<std::uint16_t>(frame.data() + kLength);
  if (length < kLeast || frame.size() < length) return link_short(frame, std::max(length, kLeast));
  const auto present = load_little_endian<std::uint32_t>(frame.data() + kPresent);
  std::size_t at = kPresent;
  for (std::uint32_t words = present; at + 8 <= length && (words & kMore) != 0;)
    words = load_little_endian<std::uint32_t>(frame.data() + (at += 4));
  at += 4;
  if ((present & kTime) != 0) at = (at + 7) / 8 * 8 + 8;
  const bool padded = (present & kFlags) != 0 && at < length && (frame[at] & kPadded) != 0;
  const Flaw found = strip_after(length, strip_wireless, frame, payload);
  if (!found && padded && payload.ether_type == kEtherTypeLlc)
    payload.offset = static_cast<std::uint32_t>(length + (payload.offset - length + 3) / 4 * 4);
  if (payload.offset > frame.size()) return link_short(frame, payload.offset);
  return found;
}

Flaw strip_ppi(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kLength = 2, kLinkType = 4, kHeader = 8;
  if (frame.size() < kHeader) return link_short(frame, kHeader);
  const std::size_t length = load_little_endian<std::uint16_t>(frame.data() + kLength);
  if (length < kHeader || frame.size() < length) return link_short(frame, std::max(length, kHeader));
  return strip_link(load_little_endian<std::uint32_t>(frame.data() + kLinkType), length, frame, payload);
}

// Fields are in the byte order of the machine that captured, which is little-endian.
Flaw strip_pktap(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kNext = 4, kLinkType = 8, kHeader = 12;
  constexpr std::uint32_t kPacket = 1;
  if (frame.size() < kHeader) return link_short(frame, kHeader);
  const std::size_t length = load_little_endian<std::uint32_t>(frame.data());
  if (length < kHeader || frame.size() < length) return link_short(frame, std::max(length, kHeader));
  if (load_little_endian<std::uint32_t>(frame.data() + kNext) != kPacket) return nothing(payload, length);
  return strip_link(load_little_endian<std::uint32_t>(frame.data() + kLinkType), length, frame, payload);
}

// Apple's tcpdump of OS X 10.9 writes PKTAP with the number of a link that anybody may use. So only content can show
// that it is PKTAP: a complete header of a packet, with an interface's name, and a link that is read here.
Flaw strip_user2(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kNext = 4, kLinkType = 8, kName = 12, kNameOctets = 24, kHeader = 108, kMostHeader = 512;
  constexpr std::uint32_t kPacket = 1;
  const auto is_pktap = [&] {
    if (frame.size() < kHeader) return false;
    const std::size_t length = load_little_endian<std::uint32_t>(frame.data());
    const auto link_type = load_little_endian<std::uint32_t>(frame.data() + kLinkType);
    const Octets name = frame.subspan(kName, kNameOctets);
    const auto end = std::ranges::find(name, Octet{0});
    return length >= kHeader && length <= std::min(kMostHeader, frame.size()) &&
           load_little_endian<std::uint32_t>(frame.data() + kNext) == kPacket && end != name.begin() &&
           std::all_of(name.begin(), end, [](Octet one) { return one > 0x20 && one < 0x7f; }) &&
           std::all_of(end, name.end(), [](Octet one) { return one == 0; }) && find_inner_link(link_type) != nullptr;
  };
  return is_pktap() ? strip_pktap(frame, payload) : nothing(payload, 0, kEtherTypeUser2);
}

// Attributes are in the byte order of the machine that captured. One of them is the packet.
Flaw strip_nflog(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kHeader = 4, kAttribute = 4;
  constexpr std::uint16_t kPacketHeader = 1, kPayload = 9;
  constexpr Octet kInet = 2, kInet6 = 10;
  if (frame.size() < kHeader) return link_short(frame, kHeader);
  // The family shows what the payload is. That of a bridge needs the EtherType, which the packet header has.
  std::uint16_t ether_type = frame[0] == kInet    ? kEtherTypeIpv4
                             : frame[0] == kInet6 ? kEtherTypeIpv6
                                                  : std::uint16_t{0};
  for (std::size_t at = kHeader; frame.size() - at >= kAttribute;) {
    std::size_t length = load_little_endian<std::uint16_t>(frame.data() + at);
    std::uint16_t type = load_little_endian<std::uint16_t>(frame.data() + at + 2);
    if (type >= 256) {  // no attribute has such a number, so the byte order is the other one
      length = word_at(frame, at);
      type = word_at(frame, at + 2);
    }
    if (type == kPayload) return nothing(payload, at + kAttribute, ether_type);
    if (type == kPacketHeader && ether_type == 0 && frame.size() - at >= kAttribute + 2)
      ether_type = word_at(frame, at + kAttribute);
    if (length < kAttribute) return nothing(payload, at, 0);
    const std::size_t padded = (length + 3) / 4 * 4;
    if (padded > frame.size() - at) return link_short(frame, at + padded);
    at += padded;
  }
  return link_short(frame, frame.size() + kAttribute);
}

// Endace's extensible record format: extension headers, then a record whose type number gives its kind.
Flaw strip_erf(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kType = 8, kHeader = 16, kExtension = 8, kEthernetPad = 2, kChannel = 4, kMostExtensions = 16;
  constexpr Octet kMore = 0x80;
  if (frame.size() < kHeader) return link_short(frame, kHeader);
  const unsigned type = frame[kType] & ~unsigned{kMore};
  std::size_t at = kHeader;
  for (bool more = (frame[kType] & kMore) != 0; more; at += kExtension) {
    if (at == kHeader + kMostExtensions * kExtension) return nothing(payload, at, 0);
    if (frame.size() < at + kExtension) return link_short(frame, at + kExtension);
    more = (frame[at] & kMore) != 0;
  }
  switch (type) {
    case 1:  // HDLC and its variants
    case 10:
    case 15:
    case 19:
      return strip_after(at, strip_ppp, frame, payload);
    case 5:  // HDLC of one of several channels
    case 17:
      return strip_after(at + kChannel, strip_ppp, frame, payload);
    case 2:  // Ethernet and its variants
    case 11:
    case 16:
    case 20:
      return strip_after(at + kEthernetPad, strip_ethernet, frame, payload);
    case 21:  // InfiniBand
    case 25:
      return nothing(payload, at, kEtherTypeLrh);
    case 22:
      return nothing(payload, at, kEtherTypeIpv4);
    case 23:
      return nothing(payload, at, kEtherTypeIpv6);
    case 27:  // information from the card
    case 48:
      return nothing(payload, at);
    default:
      return nothing(payload, at, 0);
  }
}

// A whole frame is express, or preemptable and not fragmented. Fragments are put together before (pcap/mpacket.h).
Flaw strip_mpacket(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kLeast = 8;
  const MpacketStart start = read_mpacket_start(frame);
  if (start.is_cut) return link_short(frame, kLeast);
  switch (start.kind) {
    case MpacketStart::Kind::express:
      return strip_after(start.offset, strip_ethernet, frame, payload);
    case MpacketStart::Kind::start:
      if (is_whole_frame(frame.subspan(start.offset))) return strip_after(start.offset, strip_ethernet, frame, payload);
      return nothing(payload, start.offset, kEtherTypeMpacket);
    case MpacketStart::Kind::continuation:
      return nothing(payload, start.offset, kEtherTypeMpacket);
    case MpacketStart::Kind::management:
      return nothing(payload, start.offset);
    case MpacketStart::Kind::unknown:
      break;
  }
  return nothing(payload, start.offset, 0);
}

}  // namespace wirelaw::pcap
