// SPDX-License-Identifier: Apache-2.0
#include "pcap/frame_segment.h"

#include "pcap/link.h"

namespace wirelaw::pcap {

bool segment_of(const Frame& frame, Segment& segment) {
  const LinkType* const link = find_link_type(frame.link_type);
  if (link == nullptr || link->strip == nullptr) return false;
  LinkPayload network;
  if (link->strip(frame.octets, network)) return false;
  if (network.ether_type != kEtherTypeIpv4 && network.ether_type != kEtherTypeIpv6) return false;
  IpPacket packet;
  packet.frame = frame.number;
  packet.time_ns = packet_time_ns(frame);
  if (decode_ip(frame.octets, frame.wire_length, network, packet)) return false;
  if (packet.fragment.is_fragment || packet.protocol != kProtocolTcp) return false;
  const Flaw found = decode_tcp(packet, segment);
  return !found || found.fault == Fault::payload_cut;
}

}  // namespace wirelaw::pcap
