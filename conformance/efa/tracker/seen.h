// SPDX-License-Identifier: Apache-2.0
// A packet with the offsets of all its parts, as the checks use it.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/trace.h"
#include "reference/efa/packet.h"

namespace wirelaw::efa {

// A position in the flow, sufficient to point a finding at it later.
struct Mark {
  std::uint64_t index = 0;
  std::uint64_t frame = 0;
  std::int64_t time_ns = 0;
  std::size_t octets = 0;  // octets of the packet
};

// A fast hash of octets. It does not resist deliberate collisions.
inline std::uint64_t hash_of(Octets octets) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t hash = 0x9e3779b97f4a7c15u ^ octets.size();
  // Folds the product of two words, as wyhash does: a multiplication for sixteen octets.
  const auto mix = [&](std::uint64_t one, std::uint64_t two) {
    const Wide product = Wide{hash ^ one} * (two ^ 0xe7037ed1a0b428dbu);
    hash = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  const auto word = [&](std::size_t at) { return load_little_endian<std::uint64_t>(octets.data() + at); };
  std::size_t at = 0;
  for (; at + 16 <= octets.size(); at += 16) mix(word(at), word(at + 8));
  if (at == octets.size()) return hash;
  if (at > 0) {  // the rest, together with some of the previous octets
    mix(word(octets.size() - 16), word(octets.size() - 8));
    return hash;
  }
  if (at + 8 <= octets.size()) {
    mix(word(at), 0);
    at += 8;
  }
  for (; at < octets.size(); ++at) mix(octets[at], 1);
  return hash;
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
  Mark mark() const { return {message.index, message.frame, message.time_ns, message.octets.size()}; }
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
