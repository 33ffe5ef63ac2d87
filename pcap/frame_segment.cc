// SPDX-License-Identifier: Apache-2.0
#include "pcap/frame_segment.h"

#include "pcap/carriers.h"
#include "pcap/link.h"

namespace wirelaw::pcap {

bool segment_of(const Frame& frame, Segment& segment) {
  const LinkType* const link = find_link_type(frame.link_type);
  if (link == nullptr || link->strip == nullptr) return false;
  LinkPayload network;
  if (link->strip(frame.octets, network)) return false;
  Walk walk{.octets = frame.octets,
            .wire_length = frame.wire_length,
            .at = network.offset,
            .layer = {LayerSpace::ether_type, network.ether_type}};
  Carriers carriers;
  for (Flaw found; !announces_ip(walk.layer);)
    if (enter_carrier(walk, carriers, found) != Entering::entered) return false;
  network = {walk.layer.number, static_cast<std::uint32_t>(walk.at)};
  IpPacket packet;
  packet.frame = frame.number;
  packet.time_ns = packet_time_ns(frame);
  if (decode_ip(walk.octets, static_cast<std::uint32_t>(walk.wire_length), network, packet)) return false;
  if (packet.fragment.is_fragment || packet.protocol != kProtocolTcp) return false;
  const Flaw found = decode_tcp(packet, segment);
  return !found || found.fault == Fault::payload_cut;
}

}  // namespace wirelaw::pcap
