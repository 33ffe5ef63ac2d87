// SPDX-License-Identifier: Apache-2.0
#include "pcap/udp_reader.h"

#include <utility>

namespace wirelaw::pcap {

tl::expected<UdpReader, Problem> UdpReader::open(const std::string& path, const ReadOptions& options) {
  return IpReader::open(path, options).map([](IpReader&& ip) { return UdpReader(std::move(ip)); });
}

bool UdpReader::next(Datagram& datagram) {
  while (ip_.next(packet_)) {
    if (packet_.protocol != kProtocolUdp) {
      ++(packet_.protocol == kProtocolTcp ? ip_.counts().tcp_segments : ip_.counts().other);
      continue;
    }
    const Flaw found = decode_udp(packet_, datagram);
    if (found) [[unlikely]] {
      ip_.report(packet_, found);
      if (found.fault != Fault::payload_cut) continue;
    }
    ++ip_.counts().datagrams;
    return true;
  }
  return false;
}

}  // namespace wirelaw::pcap
