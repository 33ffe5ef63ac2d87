// SPDX-License-Identifier: Apache-2.0
// From a frame to its innermost packet: link, tags and tunnels, IP, and reassembly wherever a packet came in fragments.
#pragma once

#include "pcap/carriers.h"
#include "pcap/ip.h"
#include "pcap/link.h"
#include "pcap/problem_log.h"
#include "pcap/reassembly.h"

namespace wirelaw::pcap {

// All but TCP, and UDP to or from any port but some. Inline: nearly every frame is asked for it.
inline bool may_hold_carrier(const IpPacket& packet) {
  constexpr std::size_t kUdpPorts = 4;
  if (packet.protocol == kProtocolTcp) return false;
  if (packet.protocol != kProtocolUdp) return true;
  if (packet.payload.size() < kUdpPorts) return false;
  const auto ports = load_big_endian<std::uint32_t>(packet.payload.data());
  return is_carrier_port(static_cast<std::uint16_t>(ports)) ||
         is_carrier_port(static_cast<std::uint16_t>(ports >> 16U));
}

// What came of a frame.
struct Unwrapped {
  enum class Outcome : std::uint8_t {
    packet,
    fragment,  // belongs to a packet that is not complete yet
    unread,    // no reader for `layer`
    flawed,    // by `flaw`
  };
  Outcome outcome = Outcome::packet;
  std::uint32_t fragments = 0;    // that are well-formed
  std::uint32_t reassembled = 0;  // packets that these have completed
  std::size_t headers = 0;        // number of tags and tunnels
  Layer layer;
  const char* carrier = nullptr;  // in which `layer` is: the innermost that has a name
  Flaw flaw;
};

class Unwrapper {
 public:
  explicit Unwrapper(const ReassemblyLimits& limits = {}) : reassembly_(limits) {}

  // Fills `packet` in, all but its frame number and time, which are known before. Its payload and its carriers are
  // valid until the next call, or as long as the frame. Packets whose fragments are given up go to `log`.
  Unwrapped unwrap(Octets frame, std::uint32_t wire_length, const LinkType& link, IpPacket& packet, ProblemLog& log);
  // The capture has ended.
  void finish(ProblemLog& log) { reassembly_.finish(log); }

  const Reassembly& reassembly() const { return reassembly_; }

 private:
  bool find_packet(Walk& walk, IpPacket& packet, Unwrapped& result);
  bool reassemble(IpPacket& packet, ProblemLog& log, Unwrapped& result);

  Carriers carriers_;  // carriers of the packet that is being read
  Reassembly reassembly_;
};

}  // namespace wirelaw::pcap
