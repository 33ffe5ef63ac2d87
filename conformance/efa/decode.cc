// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/decode.h"

#include <fmt/format.h>

#include <string>

#include "conformance/field_list.h"
#include "reference/efa/atomic.h"
#include "reference/efa/locate.h"
#include "reference/efa/peer_error.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {
namespace {

std::string type_name(std::uint8_t type) {
  const Layout* const layout = find_layout(type);
  return layout == nullptr ? fmt::format("unassigned type {}", type) : std::string(layout->name);
}

// Identifiers and quantities that a reader looks for first, in the order in which they are shown.
struct SummaryRow {
  Field field;
  std::string_view word;
};
constexpr SummaryRow kSummary[] = {
    {Field::msg_id, "msg_id"},           {Field::send_id, "send_id"},         {Field::recv_id, "recv_id"},
    {Field::msg_length, "msg_length"},   {Field::seg_length, "seg_length"},   {Field::seg_offset, "seg_offset"},
    {Field::recv_length, "recv_length"}, {Field::runt_length, "runt_length"}, {Field::op_id, "op_id"},
    {Field::ref_kind, "ref_kind"},       {Field::prov_errno, "prov_errno"},   {Field::tag, "tag"},
};

std::string summary_of(const Packet& packet) {
  std::string text = type_name(packet.type);
  if (packet.version != kVersion) text += fmt::format(" version {}", packet.version);
  for (const SummaryRow& row : kSummary) {
    if (!find_field(packet, row.field)) continue;
    const std::uint64_t value = get(packet, row.field);
    text +=
        row.field == Field::tag ? fmt::format(" {} 0x{:x}", row.word, value) : fmt::format(" {} {}", row.word, value);
  }
  if (packet.is(PacketType::handshake)) {
    std::string names;
    for (const ExtraInfo& extra : all_extras())
      if (announces(packet.extra_info, extra.id)) names += fmt::format(" {}", extra.name);
    text += names.empty() ? " no extras" : names;
  }
  if (const auto connid = connid_of(packet)) text += fmt::format(" connid 0x{:08x}", *connid);
  return text + fmt::format(" payload {}", packet.payload.size());
}

// The name of a value; empty if it has none.
std::string word_of(const Packet& packet, const Located& located) {
  switch (located.field) {
    case Field::type:
      return type_name(packet.type);
    case Field::atomic_op: {
      const auto* const info = find_atomic_op(static_cast<std::uint32_t>(located.value));
      return info == nullptr ? "" : std::string(info->name);
    }
    case Field::atomic_datatype: {
      const auto* const info = find_datatype(static_cast<std::uint32_t>(located.value));
      return info == nullptr ? "" : std::string(info->name);
    }
    case Field::ref_kind:
      return std::string(ref_kind_name(static_cast<std::uint32_t>(located.value)));
    default:
      return {};
  }
}

void add_flags(const Packet& packet, FieldList& fields) {
  const Layout* const layout = packet.layout();
  const FlagSet set = layout == nullptr ? FlagSet::universal : layout->flag_set;
  for (const FlagInfo& flag : all_flags())
    if (flag.set == set || flag.set == FlagSet::universal)
      fields.flag(fmt::format("{}.flags.{}", kDissector, flag.dissected), packet.has(flag.bit), 2);
}

void add_extras(const Located& located, FieldList& fields) {
  if (located.element != 0) return;
  for (const ExtraInfo& extra : all_extras())
    fields.flag(fmt::format("{}.extra_info.{}", kDissector, extra.name),
                (located.value >> static_cast<unsigned>(extra.id) & 1) != 0, located.offset);
}

void add(const Packet& packet, const Located& located, FieldList& fields) {
  switch (located.kind) {
    case FieldKind::array:
      return fields.bytes(located.name, located.offset, located.width);
    case FieldKind::flags:
      fields.hex(located.name, located.value, located.offset, located.width);
      return add_flags(packet, fields);
    case FieldKind::bits:
      fields.hex(located.name, located.value, located.offset, located.width);
      return add_extras(located, fields);
    case FieldKind::address:
    case FieldKind::opaque:
    case FieldKind::reserved:
      return fields.hex(located.name, located.value, located.offset, located.width);
    case FieldKind::number:
    case FieldKind::id:
    case FieldKind::count:
    case FieldKind::octets:
      return fields.number(located.name, located.value, located.offset, located.width, word_of(packet, located));
  }
}

}  // namespace

Decoded decode_for_people(Octets octets) {
  const Location location = locate(octets);
  const auto decoded = decode(octets);
  Packet packet;
  if (decoded) {
    packet = *decoded;
  } else if (octets.size() >= kBaseHeader) {
    packet.type = octets[0];
    packet.version = octets[1];
    packet.flags = load_little_endian<std::uint16_t>(octets.data() + 2);
  }
  FieldList fields(octets);
  for (const Located& located : location.fields) add(packet, located, fields);
  if (location.error) {
    const DecodeError& error = *location.error;
    return {.summary = octets.size() < kBaseHeader
                           ? fmt::format("{} octets, too short for an EFA RDM base header", octets.size())
                           : fmt::format("{} cut short", type_name(packet.type)),
            .fields = fields.take(),
            .error = fmt::format("{} at octet {} takes {} octets, {} are there", error.part, error.offset, error.needed,
                                 error.there)};
  }
  if (location.payload < octets.size())
    fields.bytes(fmt::format("{}.payload", kDissector), location.payload, octets.size() - location.payload);
  return {.summary = summary_of(packet), .fields = fields.take(), .error = {}};
}

}  // namespace wirelaw::efa
