// SPDX-License-Identifier: Apache-2.0
#include "pcap/ip_reader.h"

#include <fmt/format.h>

#include <utility>

#include "pcap/ethernet.h"
#include "pcap/infiniband.h"

namespace wirelaw::pcap {
namespace {

// True for IPv4 directly on Ethernet, the most frequent frame, which is recognised without a call.
bool is_plain_ipv4(const Frame& frame) {
  return frame.link_type == kLinkTypeEthernet && frame.octets.size() >= kEthernetHeader &&
         load_big_endian<std::uint16_t>(frame.octets.data() + kEthernetType) == kEtherTypeIpv4;
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
      unwrapper_(options.reassembly),
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
  packet.interface = frame_.interface;
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
    pass_over({LayerSpace::link_type, static_cast<std::uint16_t>(link_number_)}, nullptr);
    return false;
  }
  if (link_number_ == kLinkTypeMpacket) [[unlikely]]
    return read_mpacket(packet);
  if (link_->strip != nullptr) return read_innermost(packet);
  packet.kind = PacketKind::exported_pdu;
  packet.protocol = kProtocolNone;
  packet.reassembled = false;
  return true;
}

bool IpReader::read_innermost(IpPacket& packet) {
  return read_unwrapped(unwrapper_.unwrap(frame_.octets, frame_.wire_length, *link_, packet, log_), packet);
}

// Fragments of a preemptable frame come before anything else is read.
bool IpReader::read_mpacket(IpPacket& packet) {
  using enum MpacketReassembly::Outcome;
  const MpacketReassembly::Outcome outcome = mpackets_.take(frame_.octets, frame_.interface);
  if (outcome == frame) return read_innermost(packet);
  if (outcome == lost) {
    pass_over({LayerSpace::ether_type, kEtherTypeMpacket}, nullptr);
    return false;
  }
  ++counts_.fragments;
  if (outcome == fragment) return false;
  ++counts_.reassembled;
  const Octets whole = mpackets_.octets();
  Unwrapped found = unwrapper_.unwrap(whole, static_cast<std::uint32_t>(whole.size()),
                                      *find_link_type(kLinkTypeEthernet), packet, log_);
  packet.reassembled = true;
  packet.frame_offset = 0;
  found.flaw.offset = 0;  // its octets are not the frame's
  return read_unwrapped(found, packet);
}

bool IpReader::read_unwrapped(const Unwrapped& found, IpPacket& packet) {
  counts_.fragments += found.fragments;
  counts_.reassembled += found.reassembled;
  counts_.abandoned = unwrapper_.reassembly().abandoned() + mpackets_.abandoned();
  switch (found.outcome) {
    case Unwrapped::Outcome::packet:
      return true;
    case Unwrapped::Outcome::fragment:
      return false;
    case Unwrapped::Outcome::unread:
      pass_over(found.layer, found.carrier);
      return false;
    case Unwrapped::Outcome::flawed:
      report(packet, found.flaw);
      return false;
  }
  return false;
}

void IpReader::pass_over(const IpPacket& packet) {
  const Layer layer = packet.kind == PacketKind::infiniband ? Layer{LayerSpace::ether_type, kEtherTypeLrh}
                                                            : Layer{LayerSpace::ip_protocol, packet.protocol};
  pass_over(layer, packet.carriers == nullptr ? nullptr : packet.carriers->innermost());
}

void IpReader::pass_over(const Layer& layer, const char* carrier) {
  ++counts_.other;
  counts_.unread.add(layer, carrier);
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
  unwrapper_.finish(log_);
  mpackets_.finish();
  counts_.abandoned = unwrapper_.reassembly().abandoned() + mpackets_.abandoned();
  if (reader_.problem()) log_.add(*reader_.problem());
}

}  // namespace wirelaw::pcap
