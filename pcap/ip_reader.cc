// SPDX-License-Identifier: Apache-2.0
#include "pcap/ip_reader.h"

#include <fmt/format.h>

#include <utility>

#include "pcap/ethernet.h"

namespace wirelaw::pcap {
namespace {

// What nearly every frame is, and what is found without a call.
bool is_plain_ipv4(const LinkType& link, Octets frame) {
  return link.number == kLinkTypeEthernet && frame.size() >= kEthernetHeader &&
         load_big_endian<std::uint16_t>(frame.data() + kEthernetType) == kEtherTypeIpv4;
}

}  // namespace

tl::expected<IpReader, Problem> IpReader::open(const std::string& path, const ReadOptions& options) {
  auto reader = Reader::open(path);
  if (!reader) return tl::unexpected(std::move(reader.error()));
  const LinkType* link = find_link_type(reader->link_type());
  if (link == nullptr)
    return tl::unexpected(Problem{path, 0, 0, fmt::format("no IP can be read from link type {}", reader->link_name()),
                                  "capture on an interface with Ethernet, Linux cooked, BSD loopback or raw IP, or "
                                  "export PDUs from it in Wireshark"});
  if (options.in_time_order) reader->read_in_time_order();
  return IpReader(std::move(*reader), *link, options);
}

IpReader::IpReader(Reader reader, const LinkType& link, const ReadOptions& options)
    : reader_(std::move(reader)),
      link_(&link),
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
    LinkPayload network;
    Flaw found;
    if (is_plain_ipv4(*link_, frame_.octets)) [[likely]]
      network = {kEtherTypeIpv4, kEthernetHeader};
    else
      found = link_->strip(frame_.octets, network);
    if (!found) {
      if (network.ether_type != kEtherTypeIpv4 && network.ether_type != kEtherTypeIpv6) {
        ++counts_.other;
        continue;
      }
      found = decode_ip(frame_.octets, frame_.wire_length, network, packet);
    }
    if (found) [[unlikely]] {
      report(packet, found);
      continue;
    }
    if (!packet.fragment.is_fragment || reassemble(packet)) return true;
  }
  return false;
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
