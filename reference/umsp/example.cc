// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/example.h"

#include <algorithm>

#include "reference/umsp/address.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {
namespace {

constexpr Octet kNode[] = {10, 0, 0, 1};
constexpr std::uint8_t kCountedOctets = 5, kCountedWords = 1;
constexpr std::size_t kSomeData = 4;

class Maker {
 public:
  Maker(FormRow form, const Lengths& lengths) : form_(form), lengths_(lengths) {}

  ExampleOperands make() && {
    for (std::size_t i = 0; i < form_.size(); ++i) add(i);
    made_.octets.resize((made_.octets.size() + 3) / 4 * 4);
    return std::move(made_);
  }

 private:
  void add(std::size_t index) {
    const OperandRow& row = form_[index];
    const std::size_t at = made_.octets.size();
    const std::size_t length = length_of(row);
    if (row.width == Width::identifier)
      encode(*make_identifier(kIpv4Memory32, kNode, 7), made_.octets);
    else
      add_value(index, length);
    made_.places.push_back({&row, at, length});
    if (row.width == Width::counted) made_.octets.resize((made_.octets.size() + 3) / 4 * 4);
  }

  void add_value(std::size_t index, std::size_t length) {
    const OperandRow& row = form_[index];
    const OperandKind kind = describe(row.operand).kind;
    if (kind == OperandKind::address && length == kAddressOctets) {
      Writer(made_.octets).octets(make_address(kIpv4Memory32, kNode, 0x1000)->octets);
      return;
    }
    const bool many = kind == OperandKind::octets || kind == OperandKind::text;
    made_.octets.resize(made_.octets.size() + length, many ? Octet{'a'} : Octet{0});
    if (!many && kind != OperandKind::reserved && length > 0) made_.octets.back() = value_of(index);
  }

  // A count for what follows; else a small number that differs from the neighbours'.
  Octet value_of(std::size_t index) const {
    const Width next = index + 1 < form_.size() ? form_[index + 1].width : Width::fixed;
    if (next == Width::counted) return kCountedOctets;
    if (next == Width::words) return kCountedWords;
    return static_cast<Octet>(index + 1);
  }

  std::size_t length_of(const OperandRow& row) const {
    switch (row.width) {
      case Width::fixed:
        return row.octets;
      case Width::local:
        return local_length(row);
      case Width::identifier:
        return kIpv4Memory32.octets();
      case Width::counted:
        return kCountedOctets;
      case Width::words:
        return kCountedWords * 4;
      case Width::half:
        return kSomeData;
      case Width::rest:
        return row.element.empty() ? kSomeData : 2 * kSomeData;
    }
    return 0;
  }

  std::size_t local_length(const OperandRow& row) const {
    const std::uint8_t known = row.owner == Owner::ctid   ? lengths_.ctid
                               : row.owner == Owner::ltid ? lengths_.ltid
                                                          : lengths_.address;
    const bool may = std::ranges::count(row.lengths, known) != 0;
    return may ? known : row.lengths.front();
  }

  FormRow form_;
  const Lengths& lengths_;
  ExampleOperands made_;
};

Header full_header(const Layout& layout) {
  Header header{.opcode = layout.code(), .extended = true, .chain_number = 3, .session_id = 7, .req_id = 9};
  header.ask = layout.allows_ask(true);
  header.chn = layout.allows_chn(true);
  header.pck = layout.allows_pck(Pck::own_session) ? Pck::own_session : Pck::no_session;
  return header;
}

Header bare_header(const Layout& layout) {
  Header header{.opcode = layout.code(), .chain_number = 3};
  header.ask = !layout.allows_ask(false);
  header.chn = !layout.allows_chn(false);
  for (const Pck pck : {Pck::own_session, Pck::same_chain, Pck::same_session, Pck::no_session})
    if (layout.allows_pck(pck)) header.pck = pck;
  return header;
}

}  // namespace

ExampleOperands example_operands(FormRow form, const Lengths& lengths) {
  return Maker(form, lengths).make();
}

OctetBuffer example_instruction(const Layout& layout, ExampleShape shape) {
  const bool full = shape == ExampleShape::full;
  const ExampleOperands operands = example_operands(full ? layout.forms.back() : layout.forms.front());
  Instruction instruction{
      .header = full ? full_header(layout) : bare_header(layout), .extensions = {}, .operands = operands.octets};
  instruction.header.opr_length = static_cast<std::uint16_t>(operands.octets.size() / 4);
  OctetBuffer text{'w', 'i', 'r', 'e'}, zeros(2);
  if (full && layout.allows_ext(true)) {
    for (auto [code, data] : {std::pair(HeadCode::msg, &text), std::pair(HeadCode::alignment, &zeros)}) {
      ExtensionHeader extension = make_extension(static_cast<std::uint16_t>(code), false, *data);
      extension.hxt = true;
      add_extension(instruction, extension);
    }
  }
  return encode(instruction);
}

OctetBuffer example_extension(const ExtensionLayout& layout) {
  Instruction nop{.header = full_header(describe(Opcode::nop)), .extensions = {}, .operands = {}};
  nop.header.extended = false;
  OctetBuffer data = example_operands(layout.forms.back()).octets;
  data.resize(std::min<std::size_t>(data.size(), std::size_t{layout.length.most} * 2));
  add_extension(nop, make_extension(layout.code(), layout.hob, data));
  return encode(nop);
}

}  // namespace wirelaw::umsp
