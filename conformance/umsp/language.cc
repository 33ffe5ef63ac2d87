// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "conformance/umsp/framing.h"
#include "conformance/umsp/speech.h"
#include "reference/umsp/address.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

using script::FieldKind;
using ScriptField = script::Located;

struct BitsRow {
  HeaderField field;
  std::uint8_t shift, bits;
  FieldKind kind = FieldKind::free;
  bool is_hex = false;
};
// In the order of the wire (RFC 3018 3.1).
constexpr BitsRow kHeader[] = {
    {HeaderField::opcode, 0, 8},
    {HeaderField::ask, 7, 1},
    {HeaderField::pck, 5, 2},
    {HeaderField::chn, 4, 1},
    {HeaderField::ext, 3, 1},
    {HeaderField::opr_length, 0, 3, FieldKind::derived},
    {HeaderField::opr_length_ext, 0, 16, FieldKind::derived},
    {HeaderField::chain_number, 0, 16},
    {HeaderField::instr_number, 0, 16},
    {HeaderField::session_id, 0, 32, FieldKind::bound, true},
    {HeaderField::req_id, 0, 32, FieldKind::bound, true},
};

constexpr script::MessageRow kWishes[] = {
    {"size", "octets of operands in all, which count upwards"},
    {"payload", "the octets of the operands in all"},
    {"extensions", "the octets of the extension headers in all"},
};
constexpr script::Greeting kGreetings[] = {
    {Side::a, "SESSION_OPEN"}, {Side::b, "SESSION_OPEN"}, {Side::a, "SESSION_ACCEPT"}};

// Each side chooses the SESSION_ID that the other side's instructions have. It is the REQ_ID of its SESSION_OPEN or
// SESSION_ACCEPT (4).
script::IdUse use_of(const Header& header, HeaderField field) {
  const Layout* const layout = find_layout(header.opcode);
  if (field == HeaderField::session_id) return script::IdUse::uses;
  if (field != HeaderField::req_id || layout == nullptr) return script::IdUse::none;
  if (layout->opcode == Opcode::session_open || layout->opcode == Opcode::session_accept) return script::IdUse::offers;
  return layout->response ? script::IdUse::answers : script::IdUse::none;
}

void add_header(const Header& header, std::vector<ScriptField>& fields) {
  for (const BitsRow& row : kHeader)
    if (const auto place = find_field(header, row.field))
      fields.push_back({.name = std::string(header_fields()[static_cast<std::size_t>(row.field)].name),
                        .offset = place->offset,
                        .length = place->length,
                        .shift = row.shift,
                        .bits = row.bits,
                        .kind = row.kind,
                        .is_hex = row.is_hex,
                        .id = use_of(header, row.field),
                        .id_space = "session"});
}

// Ids in the operands: what a node assigns in one instruction, others name.
struct IdRow {
  Operand operand;
  std::optional<Opcode> offered_by;  // empty: its users are not followed
};
constexpr IdRow kOperandIds[] = {
    {Operand::ltid, std::nullopt},
    {Operand::gjid, Opcode::control_confirm},
    {Operand::object_number, Opcode::object},
};

// The fields of an extension header that begins at `at` (3.2).
void add_extension(const ExtensionHeader& header, std::size_t index, std::size_t at, std::vector<ScriptField>& fields) {
  const auto add = [&](std::string_view name, std::size_t offset, std::size_t length, unsigned shift, unsigned bits) {
    fields.push_back({.name = fmt::format("ext_header[{}].{}", index, name),
                      .offset = at + offset,
                      .length = length,
                      .shift = static_cast<std::uint8_t>(shift),
                      .bits = static_cast<std::uint8_t>(bits)});
  };
  const std::size_t length = header.hxt ? 4 : 1, code = header.hxt ? 2 : 1;
  const auto length_bits = static_cast<unsigned>(8 * length), code_bits = static_cast<unsigned>(8 * code);
  add("hxt", 0, length, length_bits - 1, 1);
  add("head_length", 0, length, 0, length_bits - 1);
  add("hsl", length, code, code_bits - 1, 1);
  add("hob", length, code, code_bits - 2, 1);
  add("hrz", length, code, code_bits - 3, 1);
  add("head_code", length, code, 0, code_bits - 3);
  if (header.hxt) add("reserved", 6, 2, 0, 16);
  if (!header.data.empty()) add("data", header.head_octets(), header.data.size(), 0, 0);
}

// Numbers repeated fields of one name, from the second on: "data[1]".
class OperandFields {
 public:
  OperandFields(Octets message, std::uint8_t opcode, std::size_t begin, std::vector<ScriptField>& fields)
      : message_(message), opcode_(opcode), begin_(begin), fields_(fields) {}

  void add(const Located& operand) {
    if (operand.row->element.empty()) return add(*operand.row, operand.offset, operand.length);
    for (std::size_t at = operand.offset; at < operand.offset + operand.length;) {
      const std::size_t before = at;
      for (const OperandRow& row : operand.row->element) {
        if (at + row.octets > operand.offset + operand.length) return;
        add(row, at, row.octets);
        at += row.octets;
      }
      if (at == before) return;
    }
  }

 private:
  void add(const OperandRow& row, std::size_t offset, std::size_t length) {
    if (length == 0) return;
    const OperandInfo& info = describe(row.operand);
    const bool is_number = info.kind == OperandKind::number || info.kind == OperandKind::code ||
                           info.kind == OperandKind::flags || info.kind == OperandKind::address;
    const bool has_bits = is_number && length <= 8;
    const std::size_t count = counts_[row.operand]++;
    if (count >= kMostElements) return;
    const auto id = std::ranges::find(kOperandIds, row.operand, &IdRow::operand);
    const bool is_id = id != std::end(kOperandIds), is_followed = is_id && id->offered_by;
    const bool offers = is_followed && opcode_ == static_cast<std::uint8_t>(*id->offered_by);
    if (info.kind == OperandKind::identifier && count == 0) add_parts(info.name, offset, length);
    fields_.push_back({.name = count == 0 ? std::string(info.name) : fmt::format("{}[{}]", info.name, count),
                       .offset = begin_ + offset,
                       .length = length,
                       .bits = static_cast<std::uint8_t>(has_bits ? 8 * length : 0),
                       .kind = is_id ? FieldKind::bound : FieldKind::free,
                       .is_hex = info.kind != OperandKind::number,
                       .id = !is_followed ? script::IdUse::none
                             : offers     ? script::IdUse::offers
                                          : script::IdUse::uses,
                       .id_space = info.name});
  }

  // The node and the task of a GJID or GTID: a script may name the task alone, for a job of whatever node plays it.
  void add_parts(std::string_view name, std::size_t offset, std::size_t length) {
    const AddressFormat format = decode_format(message_[begin_ + offset]);
    if (flaw_of(format) || format.node_octets() > 8 || format.octets() > length) return;
    const auto add_part = [&](std::string_view part, std::size_t at, std::size_t octets) {
      fields_.push_back({.name = fmt::format("{}.{}", name, part),
                         .offset = begin_ + offset + at,
                         .length = octets,
                         .bits = static_cast<std::uint8_t>(8 * octets),
                         .kind = FieldKind::bound,
                         .is_hex = true});
    };
    add_part("node", 1, format.node_octets());
    add_part("task", 1 + format.node_octets(), format.memory_octets());
  }

  static constexpr std::size_t kMostElements = 64;  // elements of one name; the rest of a list is only in the payload

  const Octets message_;
  const std::uint8_t opcode_;
  std::size_t begin_;
  std::vector<ScriptField>& fields_;
  std::map<Operand, std::size_t> counts_;
};

std::vector<ScriptField> locate_fields(Octets message) {
  std::vector<ScriptField> fields;
  const auto header = decode_header(message);
  if (!header) return fields;
  add_header(*header, fields);
  const auto instruction = decode(message);
  if (!instruction) return fields;
  const auto operands_at = static_cast<std::size_t>(instruction->offset_of_operands());
  if (operands_at > header->octets())
    fields.push_back({.name = "extensions", .offset = header->octets(), .length = operands_at - header->octets()});
  for (std::size_t i = 0; i < instruction->extensions.size(); ++i)
    add_extension(instruction->extensions[i], i, static_cast<std::size_t>(instruction->offset_of_extension(i)), fields);
  OperandFields operands(message, header->opcode, operands_at, fields);
  for (const Located& one : locate(*instruction).operands) operands.add(one);
  if (operands_at < message.size())
    fields.push_back({.name = "payload", .offset = operands_at, .length = message.size() - operands_at});
  return fields;
}

std::string_view name_of_message(Octets message) {
  const auto instruction = decode(message);
  const Layout* const layout = instruction ? layout_of(*instruction) : nullptr;
  if (layout != nullptr) return layout->name;
  return instruction ? describe(Opcode::nop).name : std::string_view();  // a NOP with another OPCODE
}

std::span<const script::MessageRow> messages() {
  static const std::vector<script::MessageRow> kAll = [] {
    static std::map<std::string_view, std::string> texts;
    std::vector<script::MessageRow> all;
    for (const Layout& layout : all_layouts()) {
      if (std::ranges::count(all, layout.name, &script::MessageRow::name) > 0) continue;
      std::string& text = texts[layout.name];
      text = fmt::format("section {}", layout.section);
      for (const Layout& other : all_layouts())
        if (other.name == layout.name && !other.variant.empty())
          text += fmt::format("; opcode={}: {}", other.code(), other.variant);
      all.push_back({layout.name, text});
    }
    return all;
  }();
  return kAll;
}

}  // namespace

const Layout* layout_named(std::string_view name, std::optional<std::uint64_t> opcode) {
  const Layout* const chosen =
      opcode && *opcode <= UINT8_MAX ? find_layout(static_cast<std::uint8_t>(*opcode)) : nullptr;
  if (chosen != nullptr && chosen->name == name) return chosen;
  const auto found = std::ranges::find(all_layouts(), name, &Layout::name);
  return found == all_layouts().end() ? nullptr : &*found;
}

constinit const script::Language kLanguage{.messages = messages,
                                           .wishes = kWishes,
                                           .greetings = kGreetings,
                                           .big_endian = true,
                                           .locate = locate_fields,
                                           .name_of = name_of_message,
                                           .speech = make_speech,
                                           .framing = make_framing,
                                           .joins_connections = true};
constinit const script::Language kLanguageOverUdp{.messages = messages,
                                                  .wishes = kWishes,
                                                  .big_endian = true,
                                                  .locate = locate_fields,
                                                  .name_of = name_of_message,
                                                  .speech = make_speech,
                                                  .over = "udp"};

}  // namespace wirelaw::umsp
