// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/packet.h"

#include "reference/efa/parser.h"

namespace wirelaw::efa {
namespace {

struct SeeNothing {
  void field(const FieldRow&, std::size_t) {}
  void array(Array, std::size_t, Octets) {}
  void rest(std::size_t, Octets) {}
};

// Most fields have four or eight octets.
void store(Octet* at, std::size_t width, std::uint64_t value) {
  if (width == 4) return store_little_endian(at, static_cast<std::uint32_t>(value));
  if (width == 8) return store_little_endian(at, value);
  for (std::size_t i = 0; i < width; ++i) at[i] = static_cast<Octet>(value >> (8 * i));
}

void append_fields(const Packet& packet, std::span<const FieldRow> rows, std::size_t octets, OctetBuffer& out) {
  const std::size_t base = out.size();
  out.resize(base + octets);
  for (const FieldRow& row : rows)
    if (row.offset < octets) store(out.data() + base + row.offset, row.width, get(packet, row.field));
}

void append_array(const Packet& packet, Array array, OctetBuffer& out) {
  if (array == Array::none) return;
  const Octets elements = packet.*member_of(array);
  out.insert(out.end(), elements.begin(), elements.end());
}

std::size_t octets_of(const Packet& packet, Array array) {
  return array == Array::none ? 0 : (packet.*member_of(array)).size();
}

std::size_t mandatory_octets(const Packet& packet, const Layout& layout) {
  return packet.short_header && layout.short_octets != 0 ? layout.short_octets : layout.header_octets;
}

// Returns the layout that encodes the packet; nullptr if it is only a base header and octets.
const Layout* format_of(const Packet& packet) {
  const Layout* const layout = packet.layout();
  return layout != nullptr && layout->has_format() ? layout : nullptr;
}

}  // namespace

std::uint64_t get(const Packet& packet, Field field) {
  return load_member(packet, kMembers[static_cast<std::size_t>(field)]);
}

void set(Packet& packet, Field field, std::uint64_t value) {
  store_member(packet, kMembers[static_cast<std::size_t>(field)], value);
}

Packet packet_of(PacketType type) {
  Packet packet{.type = static_cast<std::uint8_t>(type)};
  if (const Layout* const layout = packet.layout()) packet.flags = layout->marks;
  return packet;
}

tl::expected<Packet, DecodeError> decode(Octets octets) {
  tl::expected<Packet, DecodeError> result;
  SeeNothing see;
  if (auto done = Parser(octets, *result, see).run(); !done) result = tl::unexpected(done.error());
  return result;
}

void encode(const Packet& packet, OctetBuffer& out) {
  const std::size_t begin = out.size();
  const Layout* const layout = format_of(packet);
  append_fields(packet, {}, layout == nullptr ? kBaseHeader : mandatory_octets(packet, *layout), out);
  for (const FieldRow& row : base_fields()) store(out.data() + begin + row.offset, row.width, get(packet, row.field));
  if (layout != nullptr) {
    const std::size_t end = out.size() - begin;
    for (const FieldRow& row : layout->fields)
      if (row.offset < end) store(out.data() + begin + row.offset, row.width, get(packet, row.field));
    append_array(packet, layout->array, out);
    if (packet.has(layout->announcing))
      for (const OptionalHeader& header : layout->optional) {
        if (!packet.has(header.flag)) continue;
        append_fields(packet, header.fields, header.octets, out);
        append_array(packet, header.array, out);
      }
    append_array(packet, layout->behind, out);
  }
  out.insert(out.end(), packet.payload.begin(), packet.payload.end());
}

OctetBuffer encode(const Packet& packet) {
  OctetBuffer out;
  out.reserve(header_octets(packet) + packet.payload.size());
  encode(packet, out);
  return out;
}

std::size_t header_octets(const Packet& packet) {
  const Layout* const layout = format_of(packet);
  if (layout == nullptr) return kBaseHeader;
  std::size_t octets = mandatory_octets(packet, *layout) + octets_of(packet, layout->array);
  if (packet.has(layout->announcing))
    for (const OptionalHeader& header : layout->optional)
      if (packet.has(header.flag)) octets += header.octets + octets_of(packet, header.array);
  return octets + octets_of(packet, layout->behind);
}

std::optional<std::uint32_t> connid_of(const Packet& packet) {
  if (!packet.has(flag::kConnid) || format_of(packet) == nullptr) return std::nullopt;
  return packet.connid;
}

std::optional<Place> find_field(const Packet& packet, Field field) {
  const auto within = [&](std::span<const FieldRow> rows, std::size_t base) -> std::optional<Place> {
    for (const FieldRow& row : rows)
      if (row.field == field) return Place{base + row.offset, row.width};
    return std::nullopt;
  };
  if (const auto place = within(base_fields(), 0)) return place;
  const Layout* const layout = format_of(packet);
  if (layout == nullptr) return std::nullopt;
  std::size_t at = mandatory_octets(packet, *layout);
  if (const auto place = within(layout->fields, 0); place && place->offset < at) return place;
  at += octets_of(packet, layout->array);
  for (const OptionalHeader& header : layout->optional) {
    if (!packet.has(header.flag)) continue;
    if (const auto place = within(header.fields, at)) return place;
    at += header.octets + octets_of(packet, header.array);
  }
  return std::nullopt;
}

}  // namespace wirelaw::efa
