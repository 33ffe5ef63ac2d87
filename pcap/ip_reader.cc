// SPDX-License-Identifier: Apache-2.0
#include "pcap/ip_reader.h"

#include <fmt/format.h>

#include <utility>

#include "pcap/ethernet.h"
#include "pcap/infiniband.h"
#include "pcap/udp.h"

namespace wirelaw::pcap {
namespace {

// What nearly every frame is, and what is found without a call.
bool is_plain_ipv4(const Frame& frame) {
  return frame.link_type == kLinkTypeEthernet && frame.octets.size() >= kEthernetHeader &&
         load_big_endian<std::uint16_t>(frame.octets.data() + kEthernetType) == kEtherTypeIpv4;
}

constexpr std::size_t kUdpPorts = 4, kUdpDestination = 2, kUdpLength = 4;

// All but TCP, and UDP to any port but some.
bool may_hold_carrier(const IpPacket& packet) {
  if (packet.protocol == kProtocolTcp) return false;
  if (packet.protocol != kProtocolUdp) return true;
  if (packet.payload.size() < kUdpPorts) return false;
  const auto ports = load_big_endian<std::uint32_t>(packet.payload.data());
  return is_carrier_port(static_cast<std::uint16_t>(ports)) ||
         is_carrier_port(static_cast<std::uint16_t>(ports >> 16U));
}

// To what `packet`, whose payload lies in walk.octets, carries; false if that is no carrier.
bool walk_into(const IpPacket& packet, Walk& walk) {
  if (packet.kind != PacketKind::ip || !may_hold_carrier(packet)) return false;
  const auto at = static_cast<std::size_t>(packet.payload.data() - walk.octets.data());
  if (packet.protocol != kProtocolUdp) {
    walk.end_at(at + packet.wire_length);
    walk.at = at;
    walk.layer = {LayerSpace::ip_protocol, packet.protocol};
    return true;
  }
  if (packet.payload.size() < kUdpHeader) return false;
  const std::size_t length = load_big_endian<std::uint16_t>(packet.payload.data() + kUdpLength);
  if (length < kUdpHeader || length > packet.wire_length) return false;
  const auto source = load_big_endian<std::uint16_t>(packet.payload.data());
  const auto destination = load_big_endian<std::uint16_t>(packet.payload.data() + kUdpDestination);
  walk.end_at(at + length);
  walk.at = at + kUdpHeader;
  walk.layer = {LayerSpace::udp_port, is_carrier_port(destination) ? destination : source};
  return true;
}

}  // namespace

tl::expected<IpReader, Problem> IpReader::open(const std::string& path, const ReadOptions& options) {
  auto reader = Reader::open(path);
  if (!reader) return tl::unexpected(std::move(reader.error()));
  const LinkType* link = find_link_type(reader->link_type());
  if (link == nullptr && !reader->may_mix_links())
    return tl::unexpected(Problem{path, 0, 0, fmt::format("no IP can be read from link type {}", reader->link_name()),
                                  "capture on an interface with Ethernet, Linux cooked, BSD loopback or raw IP, or "
                                  "export PDUs from it in Wireshark"});
  if (options.in_time_order) reader->read_in_time_order();
  return IpReader(std::move(*reader), link, options);
}

IpReader::IpReader(Reader reader, const LinkType* link, const ReadOptions& options)
    : reader_(std::move(reader)),
      link_(link),
      link_number_(reader_.link_type()),
      reassembly_(options.reassembly),
      log_(reader_.path(), options.max_problems) {}

bool IpReader::next_frame(IpPacket& packet) {
  if (!reader_.next(frame_)) {
    finish();
    return false;
  }
  ++counts_.frames;
  counts_.octets += frame_.octets.size();
  packet.frame = frame_.number;
  packet.time_ns = packet_time_ns(frame_);
  packet.order_unknown = frame_.order_unknown;
  return true;
}

bool IpReader::next(IpPacket& packet) {
  while (next_frame(packet)) {
    if (is_plain_ipv4(frame_)) [[likely]] {
      const LinkPayload network{kEtherTypeIpv4, kEthernetHeader};
      const Flaw found = decode_ip(frame_.octets, frame_.wire_length, network, packet);
      if (!found && !packet.fragment.is_fragment && !may_hold_carrier(packet)) [[likely]] {
        packet.carriers = nullptr;
        return true;
      }
    }
    if (read_frame(packet)) return true;
  }
  return false;
}

bool IpReader::read_frame(IpPacket& packet) {
  if (frame_.link_type != link_number_) [[unlikely]] {
    link_number_ = frame_.link_type;
    link_ = find_link_type(link_number_);
  }
  if (link_ == nullptr) [[unlikely]] {
    pass_over({LayerSpace::link_type, static_cast<std::uint16_t>(link_number_)});
    return false;
  }
  if (link_->strip != nullptr) return read_innermost(packet);
  packet.kind = PacketKind::exported_pdu;
  packet.protocol = kProtocolNone;
  packet.reassembled = false;
  return true;
}

// Enters tags and tunnels until what an IP packet carries is none.
bool IpReader::read_innermost(IpPacket& packet) {
  LinkPayload announced;
  if (const Flaw found = link_->strip(frame_.octets, announced)) {
    report(packet, found);
    return false;
  }
  Walk walk{.octets = frame_.octets,
            .wire_length = frame_.wire_length,
            .at = announced.offset,
            .layer = {LayerSpace::ether_type, announced.ether_type}};
  carriers_.count = 0;
  bool reassembled = false;
  for (;;) {
    if (!find_packet(walk, packet)) return false;
    if (packet.fragment.is_fragment) {
      if (!reassemble(packet)) return false;
      walk.octets = packet.payload;
      walk.wire_length = packet.wire_length;
      reassembled = true;
    }
    if (!walk_into(packet, walk)) break;
    Flaw found;
    const Entering entering = enter_carrier(walk, carriers_, found);
    if (entering == Entering::no_carrier) break;
    if (entering == Entering::flawed) {
      report(packet, found);
      return false;
    }
  }
  if (reassembled) {  // its octets are no longer those of the frame
    packet.reassembled = true;
    packet.frame_offset = 0;
  }
  packet.carriers = carriers_.empty() ? nullptr : &carriers_;
  return true;
}

// The IP packet that begins at `walk`, or behind tags and tunnel headers.
bool IpReader::find_packet(Walk& walk, IpPacket& packet) {
  Flaw found;
  while (!announces_ip(walk.layer)) {
    if (announces_infiniband(walk.layer)) {
      found = decode_infiniband(walk, packet);
      if (found) report(packet, found);
      return !found;
    }
    const Entering entering = enter_carrier(walk, carriers_, found);
    if (entering == Entering::entered) continue;
    if (found)
      report(packet, found);
    else
      pass_over(walk.layer);
    return false;
  }
  const LinkPayload network{walk.layer.number, static_cast<std::uint32_t>(walk.at)};
  found = decode_ip(walk.octets, static_cast<std::uint32_t>(walk.wire_length), network, packet);
  if (found) report(packet, found);
  return !found;
}

void IpReader::pass_over(const Layer& layer) {
  ++counts_.other;
  counts_.unread.add(layer);
}

bool IpReader::reassemble(IpPacket& packet) {
  bool complete = false;
  Flaw found = reassembly_.add(packet, log_, complete);
  counts_.abandoned = reassembly_.abandoned();
  if (found) {
    report(packet, found);
    return false;
  }
  ++counts_.fragments;
  if (!complete) return false;
  ++counts_.reassembled;
  if (packet.version == 6) found = skip_extension_headers(packet);
  if (!found && packet.fragment.is_fragment) found = flaw(Fault::fragment_nested, packet.frame_offset);
  packet.frame_offset = 0;
  if (found) report(packet, found);
  return !found;
}

void IpReader::report(const IpPacket& packet, const Flaw& flaw) {
  const bool cut = is_shortage(flaw.fault) && frame_.octets.size() < frame_.wire_length && !packet.reassembled;
  log_.add(packet.frame, flaw, cut);
  if (flaw.fault == Fault::payload_cut) {
    ++counts_.payloads_cut;
  } else if (cut) {
    ++counts_.headers_cut;
  } else {
    ++counts_.malformed;
  }
}

void IpReader::finish() {
  if (std::exchange(finished_, true)) return;
  reassembly_.finish(log_);
  counts_.abandoned = reassembly_.abandoned();
  if (reader_.problem()) log_.add(*reader_.problem());
}

}  // namespace wirelaw::pcap
