// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/field_list.h"
#include "reference/umsp/address.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kSummarised = 8;  // number of instructions in the summary line of a datagram

std::string name_of(std::string_view field) {
  return fmt::format("{}.{}", kDissector, field);
}
std::string extension_name(std::string_view field) {
  return fmt::format("{}.ext_header.{}", kDissector, field);
}

std::string_view word_of(Pck pck) {
  static constexpr std::array<std::string_view, 4> kWords{"no session", "same session", "same chain", "session given"};
  return kWords[static_cast<std::size_t>(pck)];
}

// The name of a value (5.7.3, 9.2), or of a VM group (9).
std::string_view word_of(Operand operand, std::uint64_t value) {
  struct Named {
    Operand operand;
    std::uint64_t value;
    std::string_view word;
  };
  static constexpr Named kNamed[] = {
      {Operand::state, 1, "active, with sessions"},
      {Operand::state, 2, "active, without sessions"},
      {Operand::state, 3, "active, without sessions and resources"},
      {Operand::state, 4, "completed"},
      {Operand::transport, 0x0100, "one TCP connection"},
      {Operand::transport, 0x0101, "several TCP connections"},
      {Operand::transport, 0x0102, "one TCP connection, UDP"},
      {Operand::transport, 0x0103, "several TCP connections, UDP"},
      {Operand::vm_type, 0, "group"},
      {Operand::required_vm_type, 0, "group"},
      {Operand::sender_vm_type, 0, "group"},
      {Operand::vm_version, 0xffff, "latest"},
  };
  for (const Named& named : kNamed)
    if (named.operand == operand && named.value == value) return named.word;
  return {};
}

// The names of the bits that are set: "s0, s11_s15 31".
std::string words_of(std::span<const BitRow> bits, std::uint64_t value, std::size_t octets) {
  std::string words;
  for (const BitRow& bit : bits) {
    const std::uint64_t set = bits_of(value, bit, octets);
    if (set == 0) continue;
    words += fmt::format("{}{}", words.empty() ? "" : ", ", bit.name);
    if (bit.width > 1) words += fmt::format(" {}", set);
  }
  return words;
}

std::string text_of(Octets octets) {
  while (!octets.empty() && octets.back() == 0) octets = octets.first(octets.size() - 1);
  std::string text = "\"";
  for (const Octet octet : octets) text += octet >= 0x20 && octet < 0x7f ? static_cast<char>(octet) : '.';
  return text + '"';
}

// ---------------------------------------------------------------------------------------------------------- operands

class OperandList {
 public:
  OperandList(FieldList& list, Octets octets, std::size_t begin) : list_(list), octets_(octets), begin_(begin) {}

  void add(const OperandView& view, const std::string& rest) {
    std::size_t end = 0;
    for (const Located& located : view.operands) {
      gap(end, located.offset);
      end = located.offset + located.length;
      if (located.row->element.empty())
        add(describe(located.row->operand), located.offset, located.length);
      else
        add_list(located);
    }
    gap(end, view.padding_offset);
    const bool fits = !view.flaw || *view.flaw == OperandFlaw::padding || *view.flaw == OperandFlaw::address;
    const bool misfit = !fits && view.padding > 0;
    if (misfit)
      list_.bytes(rest, begin_ + view.padding_offset, view.padding);
    else
      gap(view.padding_offset, octets_.size());
  }

 private:
  void gap(std::size_t begin, std::size_t end) {
    if (end > begin) list_.bytes(name_of("padding"), begin_ + begin, end - begin);
  }

  void add_list(const Located& located) {
    std::size_t at = located.offset;
    while (at < located.offset + located.length)
      for (const OperandRow& row : located.row->element) {
        add(describe(row.operand), at, row.octets);
        at += row.octets;
      }
  }

  void add(const OperandInfo& info, std::size_t offset, std::size_t length) {
    if (length == 0) return;
    const Octets there = octets_.subspan(offset, length);
    const std::uint64_t value = number_of(there);
    const std::size_t at = begin_ + offset;
    const std::string name = name_of(info.name);
    switch (info.kind) {
      case OperandKind::number:
        return list_.number(name, value, at, length, word_of(info.operand, value));
      case OperandKind::code:
        return list_.hex(name, value, at, length, word_of(info.operand, value));
      case OperandKind::flags:
        return list_.hex(name, value, at, length, words_of(info.bits, value, length));
      case OperandKind::address:
        if (length == kAddressOctets) return list_.put(name, to_string(*decode_address(there)), at, length);
        return list_.hex(name, value, at, length);
      case OperandKind::identifier:
        if (const auto identifier = decode_identifier(there))
          return list_.put(name, to_string(*identifier), at, length);
        return list_.bytes(name, at, length);
      case OperandKind::text:
        return list_.put(name, text_of(there), at, length);
      case OperandKind::octets:
      case OperandKind::reserved:
        return list_.bytes(name, at, length);
    }
  }

  FieldList& list_;
  Octets octets_;
  std::size_t begin_;
};

// ------------------------------------------------------------------------------------------------------------ headers

class HeaderList {
 public:
  HeaderList(FieldList& list, const Header& header, std::size_t begin) : list_(list), header_(header), begin_(begin) {}

  void add(std::string_view name_of_opcode) {
    const Header& h = header_;
    number(HeaderField::opcode, h.opcode, name_of_opcode);
    number(HeaderField::ask, h.ask);
    number(HeaderField::pck, static_cast<std::uint64_t>(h.pck), word_of(h.pck));
    number(HeaderField::chn, h.chn);
    number(HeaderField::ext, h.ext);
    number(HeaderField::opr_length, h.extended ? kExtendedLength : h.opr_length);
    number(HeaderField::opr_length_ext, h.opr_length);
    number(HeaderField::chain_number, h.chain_number);
    number(HeaderField::instr_number, h.instr_number);
    hex(HeaderField::session_id, h.session_id);
    hex(HeaderField::req_id, h.req_id);
  }

 private:
  static std::string text(HeaderField field) { return name_of(header_fields()[static_cast<std::size_t>(field)].name); }
  void number(HeaderField field, std::uint64_t value, std::string_view word = {}) {
    if (const auto place = find_field(header_, field))
      list_.number(text(field), value, begin_ + place->offset, place->length, word);
  }
  void hex(HeaderField field, std::uint64_t value) {
    if (const auto place = find_field(header_, field))
      list_.hex(text(field), value, begin_ + place->offset, place->length);
  }

  FieldList& list_;
  const Header& header_;
  std::size_t begin_;
};

void add_extension(FieldList& list, const ExtensionHeader& header, std::size_t at) {
  const ExtensionLayout* layout = find_extension(header.head_code);
  const std::size_t length_octets = header.hxt ? 4 : 1, code_octets = header.hxt ? 2 : 1;
  const std::size_t code_at = at + length_octets;
  list.flag(extension_name("hxt"), header.hxt, at);
  list.number(extension_name("head_length"), header.head_length, at, length_octets);
  list.flag(extension_name("hsl"), header.hsl, code_at);
  list.flag(extension_name("hob"), header.hob, code_at);
  list.flag(extension_name("hrz"), header.hrz, code_at);
  list.number(extension_name("head_code"), header.head_code, code_at, code_octets,
              layout == nullptr ? "unassigned" : layout->name);
  if (header.hxt) list.hex(extension_name("reserved"), header.reserved, at + 6, 2);
  OperandList(list, header.data, at + header.head_octets()).add(locate(header), extension_name("data"));
}

// ---------------------------------------------------------------------------------------------------------- summaries

std::string where_text(const Header& header, const Membership& membership) {
  std::string text;
  if (membership.session_id)
    text += fmt::format(" session 0x{:08x}", *membership.session_id);
  else if (header.pck != Pck::no_session)
    text += " same session";
  if (membership.chain)
    text += fmt::format(" chain {}/{}", membership.chain->chain_number, membership.chain->instr_number);
  else if (header.pck == Pck::same_chain)
    text += " same chain";
  if (header.ask) text += fmt::format(" req 0x{:08x}", header.req_id);
  return text;
}

std::string opcode_text(const Layout* layout, std::uint8_t opcode) {
  if (layout != nullptr) return std::string(layout->name);
  return class_of(opcode) == OpcodeClass::reserved ? "reserved" : "unassigned";
}

std::string summary_of(const Instruction& instruction, const Membership& membership, const OperandView& view) {
  const Layout* layout = layout_of(instruction);
  std::string text = opcode_text(layout, instruction.opcode());
  if (layout == nullptr) text += fmt::format(" opcode {}", instruction.opcode());
  text += where_text(instruction.header, membership);
  for (const ExtensionHeader& extension :
       std::span(instruction.extensions).first(std::min(instruction.extensions.size(), kSummarised))) {
    const ExtensionLayout* known = find_extension(extension.head_code);
    text += known != nullptr ? fmt::format(" {}", known->name) : fmt::format(" header {}", extension.head_code);
  }
  if (instruction.extensions.size() > kSummarised) text += " …";
  text += fmt::format(" operands {}", instruction.operands.size());
  if (view.flaw && layout != nullptr)
    text += fmt::format(" [{}{}{}]", view.flaw_operand, view.flaw_operand.empty() ? "" : ": ", explain(*view.flaw));
  return text;
}

// Adds the fields of the instruction at `begin`, and returns its summary line.
std::string add_instruction(FieldList& list, const Instruction& instruction, Context& context, std::size_t begin) {
  const OperandView view = locate(instruction);
  HeaderList(list, instruction.header, begin).add(opcode_text(layout_of(instruction), instruction.opcode()));
  std::size_t at = begin + instruction.header.octets();
  for (const ExtensionHeader& extension : instruction.extensions) {
    add_extension(list, extension, at);
    at += extension.head_octets() + extension.data.size();
  }
  OperandList(list, instruction.operands, at).add(view, name_of("operands"));
  return summary_of(instruction, follow(instruction.header, context), view);
}

}  // namespace

Decoded decode_for_people(Octets octets) {
  FieldList list(octets);
  Context context;
  std::string summary, error;
  std::size_t count = 0;
  for (std::size_t at = 0; at < octets.size() || count == 0;) {
    const Octets left = octets.subspan(at);
    const auto instruction = decode(left, {.octets = left.size(), .extension_headers = left.size()});
    if (!instruction) {
      const DecodeError& why = instruction.error();
      error = fmt::format("instruction {} at offset {} needs {} octets at least, {} are there: it ends in its {}",
                          count + 1, at, why.needed, why.there, why.part);
      break;
    }
    const std::string line = add_instruction(list, *instruction, context, at);
    if (++count <= kSummarised) summary += (count > 1 ? "; " : "") + line;
    at += static_cast<std::size_t>(instruction->octets());
  }
  if (count > kSummarised) summary += fmt::format("; {} more", count - kSummarised);
  if (count == 0) summary = fmt::format("{} octets, too short for a UMSP instruction", octets.size());
  return {.summary = std::move(summary), .fields = list.take(), .error = std::move(error)};
}

}  // namespace wirelaw::umsp
