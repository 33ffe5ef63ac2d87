// SPDX-License-Identifier: Apache-2.0
// From what reassembly tells of a connection to what observers are told.
#pragma once

#include "conformance/trace.h"
#include "pcap/stream_piece.h"

namespace wirelaw {

// Of synthetic headers (not `has_headers`) nothing is passed on that was made up. A stream that `begun_at_key` has what
// matters from its start.
inline StreamPiece stream_piece_of(const pcap::StreamPiece& piece, bool has_headers, bool begun_at_key = false) {
  return {.event = static_cast<StreamEvent>(piece.event),
          .sender = piece.from_a ? Side::a : Side::b,
          .octets = piece.octets,
          .offset = piece.offset,
          .missing = piece.event == pcap::StreamPiece::Event::gap ? piece.length : 0,
          .frame = piece.frame,
          .time_ns = piece.time_ns,
          .mss = has_headers ? piece.mss : std::uint16_t{0},
          .from_start = piece.from_start || begun_at_key};
}
static_assert(static_cast<int>(StreamEvent::gap) == static_cast<int>(pcap::StreamPiece::Event::gap) &&
              static_cast<int>(StreamEvent::reset) == static_cast<int>(pcap::StreamPiece::Event::reset));

}  // namespace wirelaw
