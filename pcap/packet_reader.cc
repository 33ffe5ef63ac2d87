// SPDX-License-Identifier: Apache-2.0
#include "pcap/packet_reader.h"

#include <utility>

#include "pcap/exported_pdu.h"
#include "pcap/infiniband.h"

namespace wirelaw::pcap {

tl::expected<PacketReader, Problem> PacketReader::open(const std::string& path, const ReadOptions& options) {
  return IpReader::open(path, options).map([](IpReader&& ip) { return PacketReader(std::move(ip)); });
}

Transport PacketReader::next(Datagram& datagram, Segment& segment) {
  while (ip_.next(packet_)) {
    if (packet_.protocol == kProtocolUdp) {
      if (!usable(decode_udp(packet_, datagram))) continue;
      ++ip_.counts().datagrams;
      return Transport::udp;
    }
    if (packet_.protocol == kProtocolTcp) {
      if (!usable(decode_tcp(packet_, segment))) continue;
      ++ip_.counts().tcp_segments;
      return Transport::tcp;
    }
    if (packet_.kind == PacketKind::exported_pdu) {
      if (!usable(read_pdu(datagram))) continue;
      ++ip_.counts().pdus;
      return Transport::pdu;
    }
    if (packet_.kind == PacketKind::infiniband && packet_.protocol == kProtocolInfiniband) {
      if (!usable(decode_transport(packet_, datagram))) continue;
      ++ip_.counts().datagrams;
      return Transport::udp;
    }
    ip_.pass_over(packet_);
  }
  return Transport::none;
}

Flaw PacketReader::read_pdu(Datagram& datagram) {
  datagram.frame = packet_.frame;
  datagram.time_ns = packet_.time_ns;
  datagram.order_unknown = packet_.order_unknown;
  return decode_exported_pdu(frame().octets, frame().wire_length, datagram);
}

bool PacketReader::usable(const Flaw& found) {
  if (!found) [[likely]]
    return true;
  ip_.report(packet_, found);
  return found.fault == Fault::payload_cut;
}

}  // namespace wirelaw::pcap
