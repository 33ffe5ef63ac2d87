// SPDX-License-Identifier: Apache-2.0
// The tables of the Wireshark dissector of UMSP.
#include <fmt/format.h>

#include <array>

#include "corpora/dissector.h"
#include "reference/umsp/address.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::corpora {
namespace {

// Quotes a text, which must not contain a quotation mark or a backslash.
std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::string_view word_of(umsp::OperandKind kind) {
  static constexpr std::array<std::string_view, 8> kWords{"number",     "code",   "flags", "address",
                                                          "identifier", "octets", "text",  "reserved"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string_view word_of(umsp::Width width) {
  static constexpr std::array<std::string_view, 7> kWords{"fixed", "local", "identifier", "counted",
                                                          "words", "half",  "rest"};
  return kWords[static_cast<std::size_t>(width)];
}

std::string text_of(const umsp::OperandRow& row);
std::string text_of(const umsp::FormRow& form);

template <class Rows>
std::string joined(const Rows& rows) {
  std::string text;
  for (const auto& row : rows) text += (text.empty() ? "" : ", ") + text_of(row);
  return '{' + text + '}';
}

// Returns a row such as {"ctid", "fixed", 2}, {"ltid", "local", {8, 4, 2}} or {"vm_type", "rest", {rows}}.
std::string text_of(const umsp::OperandRow& row) {
  std::string text = fmt::format("{{{}, {}", in_quotes(describe(row.operand).name), in_quotes(word_of(row.width)));
  if (row.width == umsp::Width::fixed) text += fmt::format(", {}", row.octets);
  if (row.width == umsp::Width::local) text += fmt::format(", {{{}}}", fmt::join(row.lengths, ", "));
  if (!row.element.empty()) text += ", " + joined(row.element);
  return text + '}';
}
std::string text_of(const umsp::FormRow& form) {
  return joined(form);
}

std::string operands_text() {
  std::string out = "local OPERANDS = {  -- name, kind, what it is, bits: first, width, name, what it means\n";
  for (const umsp::OperandInfo& info : umsp::all_operands()) {
    std::string bits;
    for (const umsp::BitRow& bit : info.bits)
      bits += fmt::format("{}\n    {{{}, {}, {}, {}}}", bits.empty() ? "" : ",", bit.first, bit.width,
                          in_quotes(bit.name), in_quotes(bit.text));
    out += fmt::format("  {{{}, {}, {}, {{{}}}}},\n", in_quotes(info.name), in_quotes(word_of(info.kind)),
                       in_quotes(info.text), bits);
  }
  return out + "}\n";
}

std::string fields_text(std::string_view name, std::span<const umsp::FieldInfo> fields) {
  std::string out = fmt::format("local {} = {{  -- name, bits, what it is\n", name);
  for (const umsp::FieldInfo& field : fields)
    out += fmt::format("  {{{}, {}, {}}},\n", in_quotes(field.name), field.bits, in_quotes(field.text));
  return out + "}\n";
}

template <class Rows>
std::string layouts_text(std::string_view name, const Rows& rows) {
  std::string out = fmt::format("local {} = {{  -- by code\n", name);
  for (const auto& row : rows)
    out += fmt::format("  [{}] = {{name = {}, section = {}, forms = {}}},\n", row.code(), in_quotes(row.name),
                       in_quotes(row.section), joined(row.forms));
  return out + "}\n";
}

std::string flaws_text() {
  std::string out = "local FLAWS = {\n";
  for (const auto& [word, flaw] :
       {std::pair("too_short", umsp::OperandFlaw::too_short), std::pair("too_long", umsp::OperandFlaw::too_long),
        std::pair("identifier", umsp::OperandFlaw::identifier), std::pair("address", umsp::OperandFlaw::address),
        std::pair("count", umsp::OperandFlaw::count), std::pair("padding", umsp::OperandFlaw::padding)})
    out += fmt::format("  {} = {},\n", word, in_quotes(explain(flaw)));
  return out + "}\n";
}

}  // namespace

std::string umsp_dissector_tables() {
  return fmt::format("local NAME = {}\nlocal PORT = {}\nlocal MEMORY_OCTETS = {{[0] = {}}}\n",
                     in_quotes(umsp::kDissector), umsp::kPort, fmt::join(umsp::kMemoryOctets, ", ")) +
         fields_text("HEADER", umsp::header_fields()) + fields_text("EXTENSION_HEADER", umsp::extension_fields()) +
         operands_text() + layouts_text("LAYOUTS", umsp::all_layouts()) +
         layouts_text("EXTENSIONS", umsp::all_extensions()) + flaws_text();
}

}  // namespace wirelaw::corpora
