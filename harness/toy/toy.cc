// SPDX-License-Identifier: Apache-2.0
// The protocol's row, and its codec.
#include "harness/toy/toy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wirelaw::toy {
namespace {

constexpr std::array<Octet, 2> kMagic{'T', 'Y'};

bool begins_with_magic(Octets octets) {
  return octets.size() >= kMagic.size() && std::ranges::equal(kMagic, octets.first(kMagic.size()));
}

// 2: the first message of a conversation is a PING.
bool is_ping(Octets octets) {
  const auto packet = decode(octets);
  return packet && packet->type == Type::ping;
}

bool recognises(const Message& first) {
  return !first.is_cut() && is_ping(first.octets);
}

std::size_t begins_in(Octets octets) {
  for (std::size_t at = 0; at + layout::kMessage <= octets.size(); ++at)
    if (is_ping(octets.subspan(at, layout::kMessage))) return at;
  return Protocol::kNotHere;
}

Decoded decode_for_people(Octets octets) {
  const auto packet = decode(octets);
  if (!packet) return {.summary = "no message", .fields = {}, .error = "it is not a message of six octets"};
  const char* const type = packet->type == Type::ping ? "PING" : "PONG";
  return {.summary = fmt::format("{} {}", type, packet->number),
          .fields = {{"toy.type", type, layout::kType, 1},
                     {"toy.reserved", fmt::format("{}", packet->reserved), layout::kReserved, 1},
                     {"toy.number", fmt::format("{}", packet->number), layout::kNumber, 2}},
          .error = {}};
}

const Catalogue& catalogue() {
  static const Catalogue kCatalogue("toy", {trace_rules(), stimulus_rules()});
  return kCatalogue;
}

}  // namespace

std::optional<Packet> decode(Octets octets) {
  if (octets.size() != layout::kMessage || !begins_with_magic(octets)) return std::nullopt;
  const auto type = static_cast<Type>(octets[layout::kType]);
  if (type != Type::ping && type != Type::pong) return std::nullopt;
  return Packet{.type = type,
                .reserved = octets[layout::kReserved],
                .number = load_big_endian<std::uint16_t>(octets.data() + layout::kNumber)};
}

OctetBuffer encode(const Packet& packet) {
  OctetBuffer octets(layout::kMessage);
  std::ranges::copy(kMagic, octets.begin());
  octets[layout::kType] = static_cast<Octet>(packet.type);
  octets[layout::kReserved] = packet.reserved;
  store_big_endian(octets.data() + layout::kNumber, packet.number);
  return octets;
}

constinit const Protocol kProtocol{.name = "toy",
                                   .title = "Ping and pong",
                                   .initiator = "client",
                                   .responder = "server",
                                   .transports = "udp tcp",
                                   .catalogue = catalogue,
                                   .cases = [] { return suite().cases(); },
                                   .observer = make_observer,
                                   .decode = decode_for_people,
                                   .datagrams = OnDatagrams{.recognises = recognises},
                                   .streams = OnStreams{.begins_in = begins_in}};

}  // namespace wirelaw::toy
