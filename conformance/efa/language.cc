// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "conformance/efa/speech.h"
#include "reference/efa/locate.h"

namespace wirelaw::efa {
namespace {

using script::Located;

script::FieldKind kind_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::id:
      return script::FieldKind::bound;
    case FieldKind::count:
      return script::FieldKind::derived;
    case FieldKind::reserved:
      return script::FieldKind::padding;
    default:
      return script::FieldKind::free;
  }
}

bool is_hex(FieldKind kind) {
  return kind == FieldKind::flags || kind == FieldKind::address || kind == FieldKind::opaque ||
         kind == FieldKind::bits || kind == FieldKind::reserved;
}

// The fields of answers that have an id of the other side's operation (3.2, 4.2 to 4.7).
struct AnswerRow {
  PacketType type;
  Field field;
};
constexpr AnswerRow kAnswers[] = {
    {PacketType::cts, Field::send_id},     {PacketType::ctsdata, Field::recv_id},
    {PacketType::readrsp, Field::recv_id}, {PacketType::atomrsp, Field::recv_id},
    {PacketType::eor, Field::send_id},     {PacketType::receipt, Field::send_id},
    {PacketType::receipt, Field::msg_id},  {PacketType::read_nack, Field::send_id},
};
script::IdUse use_of(std::uint8_t type, Field field) {
  const bool answers = std::ranges::any_of(
      kAnswers, [&](const AnswerRow& row) { return row.type == PacketType{type} && row.field == field; });
  return answers ? script::IdUse::answers : script::IdUse::none;
}

// "rma_iov[1].addr", "raw_addr.qpn", "extra_info".
std::string name_of(const efa::Located& field) {
  std::string name = field.name.substr(kDissector.size() + 1);
  if (field.array == Array::none || field.array == Array::raw_address) return name;
  if (field.array == Array::extra_info) return field.element == 0 ? name : fmt::format("{}[{}]", name, field.element);
  const std::size_t dot = name.find('.');
  return fmt::format("{}[{}]{}", name.substr(0, dot), field.element, name.substr(dot));
}

// The bits of a field that have names of their own.
void add_bits(std::uint8_t type, const efa::Located& field, std::vector<Located>& fields) {
  const auto add = [&](std::string_view name, unsigned shift) {
    fields.push_back({.name = fmt::format("{}.{}", describe(field.field).name, name),
                      .offset = field.offset,
                      .length = field.width,
                      .shift = static_cast<std::uint8_t>(shift),
                      .bits = 1});
  };
  const Layout* const layout = find_layout(type);
  const FlagSet set = layout == nullptr ? FlagSet::universal : layout->flag_set;
  if (field.kind == FieldKind::flags)
    for (const FlagInfo& flag : all_flags())
      if (flag.set == set || flag.set == FlagSet::universal)
        add(flag.dissected, static_cast<unsigned>(std::countr_zero(flag.bit)));
  if (field.kind == FieldKind::bits && field.element == 0)
    for (const ExtraInfo& extra : all_extras()) add(extra.name, static_cast<unsigned>(extra.id));
}

std::vector<Located> locate_fields(Octets packet) {
  constexpr std::size_t kMostElements = 64;
  const Location location = locate(packet, kMostElements);
  std::vector<Located> fields;
  for (const efa::Located& one : location.fields) {
    const bool is_octets = one.kind == FieldKind::array || one.width > 8;
    fields.push_back({.name = name_of(one),
                      .offset = one.offset,
                      .length = one.width,
                      .bits = static_cast<std::uint8_t>(is_octets ? 0 : one.width * 8),
                      .kind = kind_of(one.kind),
                      .is_hex = is_hex(one.kind),
                      .id = use_of(packet.empty() ? std::uint8_t{0} : packet[0], one.field)});
    add_bits(packet.empty() ? 0 : packet[0], one, fields);
  }
  if (!location.error && location.payload < packet.size())
    fields.push_back({.name = "payload", .offset = location.payload, .length = packet.size() - location.payload});
  return fields;
}

std::string_view name_of_packet(Octets packet) {
  const Layout* const layout = packet.empty() ? nullptr : find_layout(packet[0]);
  return layout == nullptr || !layout->has_format() ? std::string_view() : layout->name;
}

std::span<const script::MessageRow> messages() {
  static const std::vector<script::MessageRow> kAll = [] {
    std::vector<script::MessageRow> all;
    for (const Layout& layout : all_layouts())
      if (layout.has_format()) all.push_back({layout.name, layout.full_name});
    return all;
  }();
  return kAll;
}

constexpr script::MessageRow kWishes[] = {
    {"size", "octets of application data in the packet, which count upwards"},
    {"payload", "the octets of the application data"},
};
// A RECEIPT comes from the provider itself, whatever the application does.
constexpr script::Greeting kControl[] = {{Side::a, "DC_EAGER_MSGRTM"}, {Side::b, "RECEIPT"}};
// An application may send its own messages, such as the echo of an earlier one.
constexpr std::string_view kOwed[] = {"HANDSHAKE", "EAGER_MSGRTM", "EAGER_TAGRTM"};
// Before it has received a HANDSHAKE, a peer sends its raw address and no connid.
constexpr std::string_view kOptional[] = {"raw_addr", "connid"};
constexpr script::Greeting kGreetings[] = {{Side::a, "EAGER_MSGRTM"}, {Side::b, "HANDSHAKE"}, {Side::a, "HANDSHAKE"}};

}  // namespace

constinit const script::Language kLanguage{.messages = messages,
                                           .wishes = kWishes,
                                           .greetings = kGreetings,
                                           .control = kControl,
                                           .owed = kOwed,
                                           .optional = kOptional,
                                           .locate = locate_fields,
                                           .name_of = name_of_packet,
                                           .speech = make_speech};

}  // namespace wirelaw::efa
