// SPDX-License-Identifier: Apache-2.0
#include "pcap/unwrapper.h"

#include "pcap/infiniband.h"
#include "pcap/udp.h"

namespace wirelaw::pcap {
namespace {

constexpr std::size_t kUdpDestination = 2, kUdpLength = 4;

bool fail(Unwrapped& result, const Flaw& flaw) {
  result.outcome = Unwrapped::Outcome::flawed;
  result.flaw = flaw;
  return false;
}

// Moves to the content of `packet`; its payload is in walk.octets. Returns false if that is no carrier.
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
  walk.is_to_port = is_carrier_port(destination);
  walk.layer = {LayerSpace::udp_port, walk.is_to_port ? destination : source};
  walk.source_port = source;
  return true;
}

}  // namespace

// Enters tags and tunnels up to an IP packet that carries neither.
Unwrapped Unwrapper::unwrap(Octets frame, std::uint32_t wire_length, const LinkType& link, IpPacket& packet,
                            ProblemLog& log) {
  Unwrapped result;
  LinkPayload announced;
  if (const Flaw found = link.strip(frame, announced)) {
    fail(result, found);
    return result;
  }
  Walk walk{.octets = frame,
            .wire_length = wire_length,
            .at = announced.offset,
            .layer = {LayerSpace::ether_type, announced.ether_type}};
  carriers_.count = 0;
  for (;;) {
    if (!find_packet(walk, packet, result)) return result;
    if (packet.fragment.is_fragment) {
      if (!reassemble(packet, log, result)) return result;
      walk.octets = packet.payload;
      walk.wire_length = packet.wire_length;
    }
    if (!walk_into(packet, walk)) break;
    Flaw found;
    const Entering entering = enter_carrier(walk, carriers_, found);
    if (entering == Entering::no_carrier) break;
    if (entering == Entering::flawed) {
      fail(result, found);
      return result;
    }
  }
  if (result.reassembled > 0) {  // its octets are not the frame's
    packet.reassembled = true;
    packet.frame_offset = 0;
  }
  packet.carriers = carriers_.empty() ? nullptr : &carriers_;
  result.headers = walk.headers;
  return result;
}

// Finds the IP packet that begins at `walk`, or after tags and tunnel headers.
bool Unwrapper::find_packet(Walk& walk, IpPacket& packet, Unwrapped& result) {
  Flaw found;
  while (!announces_ip(walk.layer)) {
    if (announces_infiniband(walk.layer)) {
      found = decode_infiniband(walk, packet);
      if (found) return fail(result, found);
      if (packet.protocol != kProtocolInfiniband) return true;
      walk.at = packet.frame_offset;
      const Entering inner = enter_ip_over_infiniband(walk, carriers_, found);
      if (inner == Entering::entered) continue;
      return !found || fail(result, found);
    }
    const Entering entering = enter_carrier(walk, carriers_, found);
    if (entering == Entering::entered) continue;
    if (found) return fail(result, found);
    result.outcome = Unwrapped::Outcome::unread;
    result.layer = walk.layer;
    result.carrier = carriers_.innermost();
    return false;
  }
  const LinkPayload network{walk.layer.number, static_cast<std::uint32_t>(walk.at)};
  found = decode_ip(walk.octets, static_cast<std::uint32_t>(walk.wire_length), network, packet);
  return !found || fail(result, found);
}

bool Unwrapper::reassemble(IpPacket& packet, ProblemLog& log, Unwrapped& result) {
  bool complete = false;
  if (const Flaw found = reassembly_.add(packet, log, complete)) return fail(result, found);
  ++result.fragments;
  if (!complete) {
    result.outcome = Unwrapped::Outcome::fragment;
    return false;
  }
  ++result.reassembled;
  Flaw found = packet.version == 6 ? skip_extension_headers(packet) : skip_authentication_header(packet);
  if (!found && packet.fragment.is_fragment) found = flaw(Fault::fragment_nested, packet.frame_offset);
  packet.frame_offset = 0;
  return !found || fail(result, found);
}

}  // namespace wirelaw::pcap
