// SPDX-License-Identifier: Apache-2.0
// Finds the innermost packet of a frame: reads the link, tags and tunnels, and IP, and reassembles fragments at any
// level.
#pragma once

#include "pcap/carriers.h"
#include "pcap/ip.h"
#include "pcap/link.h"
#include "pcap/problem_log.h"
#include "pcap/reassembly.h"

namespace wirelaw::pcap {

// True for every protocol but TCP; for UDP, only with a tunnel's port. Inline, because it is called for nearly every
// frame.
inline bool may_hold_carrier(const IpPacket& packet) {
  constexpr std::size_t kUdpPorts = 4;
  if (packet.protocol == kProtocolTcp) return false;
  if (packet.protocol != kProtocolUdp) return true;
  if (packet.payload.size() < kUdpPorts) return false;
  const auto ports = load_big_endian<std::uint32_t>(packet.payload.data());
  return is_carrier_port(static_cast<std::uint16_t>(ports)) ||
         is_carrier_port(static_cast<std::uint16_t>(ports >> 16U));
}

// The result for one frame.
struct Unwrapped {
  enum class Outcome : std::uint8_t {
    packet,
    fragment,  // belongs to a packet that is not complete yet
    unread,    // no reader for `layer`
    flawed,    // malformed, as `flaw` says
  };
  Outcome outcome = Outcome::packet;
  std::uint32_t fragments = 0;    // well-formed fragments
  std::uint32_t reassembled = 0;  // packets that these fragments completed
  std::size_t headers = 0;        // number of tags and tunnels
  Layer layer;
  const char* carrier = nullptr;  // the innermost carrier of `layer` that has a name
  Flaw flaw;
};

class Unwrapper {
 public:
  explicit Unwrapper(const ReassemblyLimits& limits = {}) : reassembly_(limits) {}

  // Fills in `packet`, except its frame number and time, which the caller sets before. Its payload and carriers are
  // valid until the next call, or as long as the frame. Packets whose fragments are given up go to `log`.
  Unwrapped unwrap(Octets frame, std::uint32_t wire_length, const LinkType& link, IpPacket& packet, ProblemLog& log);
  // Call it at the end of the capture.
  void finish(ProblemLog& log) { reassembly_.finish(log); }
  void keep_interfaces_apart() { reassembly_.keep_interfaces_apart(); }

  const Reassembly& reassembly() const { return reassembly_; }

 private:
  bool find_packet(Walk& walk, IpPacket& packet, Unwrapped& result);
  bool reassemble(IpPacket& packet, ProblemLog& log, Unwrapped& result);

  Carriers carriers_;  // carriers of the packet that is being read
  Reassembly reassembly_;
};

}  // namespace wirelaw::pcap
