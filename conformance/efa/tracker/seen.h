// SPDX-License-Identifier: Apache-2.0
// A packet with the offsets of all its parts, as the checks use it.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/trace.h"
#include "reference/efa/packet.h"
#include "reference/octets/hash.h"

namespace wirelaw::efa {

// A position in the flow, sufficient to point a finding at it later.
struct Mark {
  std::uint64_t index = 0;
  std::uint64_t frame = 0;
  std::int64_t time_ns = 0;
  std::size_t octets = 0;  // octets of the packet
};

inline Mark mark_of(const Message& message) {
  return {message.index, message.frame, message.time_ns, message.octets.size()};
}

struct SeenPacket {
  const Message& message;
  const Packet& packet;
  const Layout& layout;
  std::size_t headers = 0;  // octets in front of the payload
  // The sender has sent the same octets shortly before. If that breaks a rule, UDP may have duplicated the packet, so
  // it is reported with advise() and nothing is concluded from it. A later exchange may contain the same packet.
  bool doubled = false;
  std::optional<std::int64_t> same_before_ns = {};  // when the sender sent the same octets last, if it is doubled

  Side sender() const { return message.sender; }
  PacketType type() const { return layout.type; }
  // Octets of payload on the wire, including those that the capture has cut off.
  std::uint64_t payload_octets() const { return message.wire_length - headers; }
  OctetRange payload() const { return {headers, packet.payload.size()}; }
  // The place of a field; the whole packet if it has no such field.
  OctetRange at(Field field) const {
    const auto place = find_field(packet, field);
    return place ? OctetRange{place->offset, place->width} : OctetRange{0, message.octets.size()};
  }
  Mark mark() const { return mark_of(message); }
};

// The message that a mark points at, without its octets. Used for a fault that shows only later.
inline Message marked(const Mark& mark, Side sender) {
  return {.octets = {},
          .wire_length = mark.octets,
          .sender = sender,
          .index = mark.index,
          .frame = mark.frame,
          .time_ns = mark.time_ns};
}

// Same, for a packet of the other side that `silent` has failed to answer.
inline Message unanswered(const Mark& mark, Side silent) {
  Message message = marked(mark, silent);
  message.unanswered = true;
  return message;
}

}  // namespace wirelaw::efa
