// SPDX-License-Identifier: Apache-2.0
// A trace: the ordered messages of one conversation, whatever carried them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "reference/octets/octets.h"

namespace wirelaw {

// The two ends of a flow: `a` sent the first message that was seen.
enum class Side : std::uint8_t { a, b };

constexpr Side other(Side side) {
  return side == Side::a ? Side::b : Side::a;
}

// Where one side of a flow is on its network: an IPv6 address, or an IPv4 one mapped into it (RFC 4291 2.5.5.2).
struct NetworkAddress {
  std::array<Octet, 16> octets = {};  // network order
  std::uint16_t port = 0;             // of UDP or TCP, or the queue pair's number
};

// One message as it was found. The octets belong to the caller and live for the length of the call.
struct Message {
  Octets octets;                // what the capture holds of the message
  std::size_t wire_length = 0;  // octets that were on the wire; more than octets.size() where the capture cut them
  Side sender = Side::a;
  std::uint64_t index = 0;            // in the flow, from 0
  std::uint64_t frame = 0;            // in the capture, from 1; 0 where there is no capture
  std::int64_t time_ns = 0;           // since the epoch, or since the beginning of a virtual run
  std::uint8_t ip_version = 0;        // 4, 6, or 0 where no IP packet was seen
  std::uint8_t ip_header_octets = 0;  // length of the IP header with its options or extension headers

  bool is_cut() const { return octets.size() < wire_length; }
};

// What a piece of an octet stream (TCP) tells of the side that sent it.
enum class StreamEvent : std::uint8_t {
  opened,  // its SYN
  octets,  // the next octets of its stream: in order, each octet once
  gap,     // octets that the trace does not hold; the stream goes on behind them
  closed,  // its FIN: nothing follows
  reset,   // its RST: nothing follows in either direction
};

// A piece of one direction of a stream. How a stream is cut into pieces means nothing: segments, reads and
// retransmissions differ, the octets do not.
struct StreamPiece {
  StreamEvent event = StreamEvent::octets;
  Side sender = Side::a;
  Octets octets = {};         // of `octets`; they belong to the caller and live for the length of the call
  std::uint64_t offset = 0;   // in the sender's stream, from 0: of the first octet, or where the event is
  std::uint64_t missing = 0;  // octets in a gap
  std::uint64_t frame = 0;    // in the capture, from 1, of the first of these octets; 0 where there is no capture
  std::int64_t time_ns = 0;
  std::uint16_t mss = 0;   // of `opened`: the maximum segment size that the sender announced; 0 unknown
  bool from_start = true;  // of a side's first piece: the stream is seen from its first octet on
};

// A message of its octets alone, for tests and for carriages without a network below them.
inline Message message_of(Octets octets, Side sender, std::uint64_t index, std::int64_t time_ns = 0) {
  return {.octets = octets,
          .wire_length = octets.size(),
          .sender = sender,
          .index = index,
          .frame = index + 1,
          .time_ns = time_ns};
}

}  // namespace wirelaw
