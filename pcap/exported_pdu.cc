// SPDX-License-Identifier: Apache-2.0
#include "pcap/exported_pdu.h"

#include <algorithm>
#include <iterator>

namespace wirelaw::pcap {
namespace {

using Value = const Octet*;  // has as many octets as the tag's row requires

// The values of the tags so far.
struct Tags {
  Datagram& datagram;
  bool source_address = false, destination_address = false, source_port = false, destination_port = false;
};

constexpr std::size_t kAnyLength = 0;

struct TagRow {
  std::uint16_t tag;
  std::size_t octets;  // length of its value
  Flaw (*take)(Value at, std::size_t octets, Tags& tags);
};

// Text ends at the first zero, or with the value.
Flaw take_name(Value at, std::size_t octets, Tags& tags) {
  const auto* const text = reinterpret_cast<const char*>(at);
  tags.datagram.dissector = std::string_view(text, static_cast<std::size_t>(std::find(text, text + octets, 0) - text));
  return {};
}

constexpr TagRow kRows[] = {
    {pdu_tag::kDissectorName, kAnyLength, take_name},
    {pdu_tag::kHeuristicName, kAnyLength, take_name},
    {pdu_tag::kTableName, kAnyLength, take_name},
    {pdu_tag::kIpv4Source, 4,
     [](Value at, std::size_t, Tags& tags) {
       tags.datagram.source.address.set_ipv4(at);
       tags.source_address = true;
       return Flaw{};
     }},
    {pdu_tag::kIpv4Destination, 4,
     [](Value at, std::size_t, Tags& tags) {
       tags.datagram.destination.address.set_ipv4(at);
       tags.destination_address = true;
       return Flaw{};
     }},
    {pdu_tag::kIpv6Source, 16,
     [](Value at, std::size_t, Tags& tags) {
       tags.datagram.source.address.set_ipv6(at);
       tags.source_address = true;
       return Flaw{};
     }},
    {pdu_tag::kIpv6Destination, 16,
     [](Value at, std::size_t, Tags& tags) {
       tags.datagram.destination.address.set_ipv6(at);
       tags.destination_address = true;
       return Flaw{};
     }},
    {pdu_tag::kSourcePort, 4,
     [](Value at, std::size_t, Tags& tags) {
       tags.source_port = true;
       tags.datagram.source.port = load_big_endian<std::uint32_t>(at);
       return Flaw{};
     }},
    {pdu_tag::kDestinationPort, 4,
     [](Value at, std::size_t, Tags& tags) {
       tags.destination_port = true;
       tags.datagram.destination.port = load_big_endian<std::uint32_t>(at);
       return Flaw{};
     }},
};

// A value is `at` in the frame.
Flaw take(std::uint16_t tag, Octets value, std::size_t at, Tags& tags) {
  const auto* const row = std::ranges::find(kRows, tag, &TagRow::tag);
  if (row == std::end(kRows)) return {};
  if (row->octets != kAnyLength && value.size() != row->octets)
    return flaw(Fault::pdu_tag_length, at - kPduTag, value.size(), row->octets);
  Flaw found = row->take(value.data(), value.size(), tags);
  found.offset = static_cast<std::uint32_t>(at);
  return found;
}

}  // namespace

Flaw decode_exported_pdu(Octets frame, std::uint32_t wire_length, Datagram& datagram) {
  datagram.dissector = {};
  datagram.ip_header_octets = 0;
  datagram.ip_version = 0;
  datagram.headers = {};
  datagram.reassembled = false;
  datagram.carriers = nullptr;
  datagram.is_pdu = true;
  Tags tags{datagram};
  std::size_t at = 0;
  for (;;) {
    const std::size_t left = frame.size() - at;
    if (left == 0) return flaw(Fault::pdu_endless, at);
    if (left < kPduTag) return flaw(Fault::pdu_tag_short, at, left, kPduTag);
    const auto tag = load_big_endian<std::uint16_t>(frame.data() + at);
    const std::size_t length = load_big_endian<std::uint16_t>(frame.data() + at + 2);
    if (length > left - kPduTag) return flaw(Fault::pdu_value_short, at, left - kPduTag, length);
    at += kPduTag;
    if (const Flaw found = take(tag, frame.subspan(at, length), at, tags)) return found;
    at += length;
    if (tag == pdu_tag::kEnd) break;
  }
  if (!tags.source_address) return flaw(Fault::pdu_no_source, 0);
  if (!tags.destination_address) return flaw(Fault::pdu_no_destination, 0);
  if (!tags.source_port) return flaw(Fault::pdu_no_source_port, 0);
  if (!tags.destination_port) return flaw(Fault::pdu_no_destination_port, 0);

  datagram.payload = frame.subspan(at);
  datagram.wire_length = static_cast<std::uint32_t>(wire_length - at);
  datagram.frame_offset = static_cast<std::uint32_t>(at);
  if (datagram.payload.size() < datagram.wire_length)
    return flaw(Fault::payload_cut, at, datagram.payload.size(), datagram.wire_length);
  return {};
}

}  // namespace wirelaw::pcap
