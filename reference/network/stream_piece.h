// SPDX-License-Identifier: Apache-2.0
// The octet streams of a connection (TCP), piece by piece, as reassembly finds them in a capture and as a live run sees
// them pass.
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// The two ends of a flow: `a` has made the connection, or sent the first message that was seen.
enum class Side : std::uint8_t { a, b };

constexpr Side other(Side side) {
  return static_cast<Side>(static_cast<unsigned>(side) ^ 1u);
}

// What a piece states about the side that sent it.
enum class StreamEvent : std::uint8_t {
  opened,  // its SYN, or the first that is known of this direction
  octets,  // the next octets of its stream: in order, each octet once
  gap,     // octets that the trace does not hold; the stream resumes after them
  closed,  // its FIN: nothing follows
  reset,   // its RST: nothing follows in either direction
};

// A piece of one direction of a stream. How a stream is cut into pieces means nothing: segments, reads and
// retransmissions differ, the octets do not.
struct StreamPiece {
  StreamEvent event = StreamEvent::octets;
  Side sender = Side::a;
  Octets octets = {};         // for `octets` only; they belong to the caller and live for the length of the call
  std::uint64_t offset = 0;   // offset of the first octet, or of the event, in the sender's stream, from 0
  std::uint64_t missing = 0;  // octets in a gap
  std::uint64_t frame = 0;    // in the capture, from 1, of the first of these octets, or that showed the gap; 0: none
  std::uint32_t frame_offset = 0;  // offset of the octets in that frame; 0: unknown
  std::int64_t time_ns = 0;        // time of that frame
  bool order_unknown = false;      // a neighbouring frame has the same time stamp
  // Whatever its sender had received of the other stream when it sent this has been delivered before it: its
  // acknowledgment says how much that is. Then neither order nor absence explains what it says.
  bool received_is_known = true;
  // Octets of the other stream, from 0, that its sender's program must have had when it sent this: a second before, its
  // TCP acknowledged them while it had no octets of its own in flight or waiting. 0: nothing is proven.
  std::uint64_t received = 0;
  std::uint16_t mss = 0;   // for `opened`: the maximum segment size that the sender announced; 0 unknown
  bool from_start = true;  // offset 0 is the stream's first octet; else merely the first that was seen
};

}  // namespace wirelaw
