// SPDX-License-Identifier: Apache-2.0
// The octet streams of a connection (TCP), piece by piece, as found by reassembly of a capture or seen by a live run.
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// The two ends of a flow: `a` has opened the connection, or has sent the first message seen.
enum class Side : std::uint8_t { a, b };

constexpr Side other(Side side) {
  return static_cast<Side>(static_cast<unsigned>(side) ^ 1u);
}

// An event in the stream of the sending side.
enum class StreamEvent : std::uint8_t {
  opened,  // its SYN, or the first known segment of this direction
  octets,  // the next octets of its stream, in order and each octet once
  gap,     // octets that the trace lacks; the stream resumes after them
  closed,  // its FIN: nothing follows
  reset,   // its RST: nothing follows in either direction
};

// A piece of one direction of a stream. The cuts between pieces have no meaning: they depend on segments, reads and
// retransmissions; the octets do not.
struct StreamPiece {
  StreamEvent event = StreamEvent::octets;
  Side sender = Side::a;
  Octets octets = {};              // only for `octets`; owned by the caller and valid during the call
  std::uint64_t offset = 0;        // offset of the first octet, or of the event, in the sender's stream, from 0
  std::uint64_t missing = 0;       // octets in a gap
  std::uint64_t frame = 0;         // number from 1: frame with the first of these octets, or after the gap; 0: none
  std::uint32_t frame_offset = 0;  // offset of the octets in that frame; 0: unknown
  std::int64_t time_ns = 0;        // time of that frame
  bool order_unknown = false;      // a neighbouring frame has the same time stamp
  // True if everything that its sender had received of the other stream, according to its acknowledgment, has been
  // delivered before this piece. Then neither reordering nor missing frames explain the contents.
  bool received_is_known = true;
  // Octets of the other stream, from 0, that its sender's program must have had when it sent this: its TCP acknowledged
  // them a second before, while it had no octets of its own in flight or waiting. 0: nothing is proven.
  std::uint64_t received = 0;
  std::uint16_t mss = 0;   // for `opened`: the maximum segment size that the sender announced; 0: unknown
  bool from_start = true;  // offset 0 is the stream's first octet; else the first octet seen
};

}  // namespace wirelaw
