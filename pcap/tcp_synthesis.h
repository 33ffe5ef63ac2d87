// SPDX-License-Identifier: Apache-2.0
// Makes headers for a TCP connection that was seen from above (at a socket, or in memory), so that it can be written as
// the capture of a network without losses. One call is one segment, and so one frame:
//
//   TcpSynthesis tcp(connections++);
//   writer.write_segment(a, b, now, tcp.syn(true), {});
//   writer.write_segment(b, a, now, tcp.syn(false), {});       // acknowledges the other
//   writer.write_segment(a, b, now, tcp.acknowledge(true), {});
//   writer.write_segment(a, b, now, tcp.data(true, octets.size()), octets);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pcap/synthesis.h"

namespace wirelaw::pcap {

class TcpSynthesis {
 public:
  // The caller cuts longer payloads, which would not fit into an IPv4 packet.
  static constexpr std::size_t kMaxPayload = 61440;
  static constexpr std::uint16_t kMss = 65495;  // as on a loopback device with an MTU of 65535

  // Connections between the same ports need different numbers. Readers distinguish them by their initial sequence
  // numbers, which are made from it.
  explicit TcpSynthesis(std::uint32_t number) {
    constexpr std::uint32_t kSpread = 0x9e3779b1;  // odd, so that every number gives another value
    sides_[0].next = number * kSpread;
    sides_[1].next = number * kSpread + 0x80000000;
  }

  TcpHeader syn(bool from_a, std::uint16_t mss = kMss) {
    TcpHeader header = next(from_a, TcpFlags::kSyn, 1);
    header.mss = mss;
    side(from_a).open = true;
    return header;
  }
  TcpHeader acknowledge(bool from_a) { return next(from_a, 0, 0); }
  TcpHeader data(bool from_a, std::size_t length) {
    return next(from_a, TcpFlags::kPsh, static_cast<std::uint32_t>(length));
  }
  TcpHeader fin(bool from_a) { return next(from_a, TcpFlags::kFin, 1); }
  TcpHeader rst(bool from_a) { return next(from_a, TcpFlags::kRst, 0); }

 private:
  struct Sender {
    std::uint32_t next = 0;
    bool open = false;
  };

  Sender& side(bool a) { return sides_[a ? 0 : 1]; }
  TcpHeader next(bool from_a, std::uint8_t flags, std::uint32_t advance) {
    TcpHeader header;
    header.seq = side(from_a).next;
    header.flags.bits = flags;
    if (const Sender& other = side(!from_a); other.open) {
      header.flags.bits |= TcpFlags::kAck;
      header.ack = other.next;
    }
    side(from_a).next += advance;
    return header;
  }

  std::array<Sender, 2> sides_;
};

}  // namespace wirelaw::pcap
