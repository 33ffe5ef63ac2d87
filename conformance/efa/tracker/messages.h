// SPDX-License-Identifier: Apache-2.0
// Follows the packets that begin or make up a message (3.2): eager, medium and long-CTS.
#pragma once

#include <optional>

#include "conformance/efa/tracker/facts.h"
#include "conformance/efa/tracker/trace_state.h"

namespace wirelaw::efa {

MessageFact follow_eager_message(const SeenPacket& seen, TraceState& state);
MessageFact follow_longcts_message(const SeenPacket& seen, TraceState& state);
MediumFact follow_medium_message(const SeenPacket& seen, TraceState& state);

// The part of a medium message that a packet carries.
struct Segment {
  explicit Segment(const SeenPacket& seen)
      : length(seen.packet.seg_length), offset(seen.packet.seg_offset), octets(seen.payload_octets()) {}

  bool ends_by(std::uint64_t end) const { return offset <= end && octets <= end - offset; }
  bool is_in(const Coverage& data) const { return octets <= ~offset && data.has(offset, offset + octets); }
  // Returns true if the length has one of its meanings, in any message.
  bool has_meaning() const { return length == octets || ends_by(length); }

  std::uint64_t length;  // length field of the packet
  std::uint64_t offset;
  std::uint64_t octets;  // octets of data
};

}  // namespace wirelaw::efa
