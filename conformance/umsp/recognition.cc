// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/recognition.h"

#include "reference/umsp/address.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

bool is_faultless(const Instruction& instruction) {
  const Layout* const layout = layout_of(instruction);
  const Header& header = instruction.header;
  return layout != nullptr && layout->allows_ask(header.ask) && layout->allows_pck(header.pck) &&
         layout->allows_chn(header.chn) && layout->allows_ext(header.ext) &&
         layout->length.contains(header.opr_length) && !locate(instruction).flaw;
}

// The values that are the same in every instruction of these kinds, beside those that make it faultless.
bool has_fixed_values(const Instruction& instruction) {
  const OperandView view = locate(instruction);
  const auto value = [&](Operand operand) { return value_of(view, operand, instruction.operands); };
  const auto names_node = [&](Operand operand) {
    const Located* const located = view.find(operand);
    if (located == nullptr) return false;
    const auto identifier = decode_identifier(octets_of(*located, instruction.operands));
    return identifier && is_assigned(identifier->format);
  };
  switch (static_cast<Opcode>(instruction.opcode())) {
    case Opcode::control_req: {
      constexpr std::uint64_t kReservedAndVersion = 0x7fff, kVersion1 = 0x0100;  // of the profile's last 15 bits
      return (value(Operand::control_profile).value_or(0) & kReservedAndVersion) == kVersion1;
    }
    case Opcode::session_open: {
      constexpr std::uint64_t kS5 = 0x0400'0000, kS31 = 1, kS16To19 = 0xf000, kVersion1 = 0x1000;
      const std::uint64_t required = value(Operand::required_profile).value_or(0);
      return (required & (kS5 | kS31)) == 0 && (required & kS16To19) == kVersion1 && names_node(Operand::gjid);
    }
    case Opcode::task_reg_2:
    case Opcode::task_reg_4:
    case Opcode::task_reg_8:
      return names_node(Operand::gtid);
    default:
      return false;
  }
}

}  // namespace

Plausible is_plausible(Octets first) {
  if (first.size() < kLeastHeader) return Plausible::undecided;
  const Octet flags = first[1];
  const Layout* const layout = find_layout(first[0]);
  if (layout == nullptr || !layout->allows_pck(static_cast<Pck>(flags >> 5 & 3)) ||
      !layout->allows_ask(flags >> 7 != 0))
    return Plausible::no;
  const auto header = decode_header(first);
  if (!header) return Plausible::undecided;
  const bool fits = layout->length.contains(header->opr_length) || layout->printed.contains(header->opr_length);
  return fits ? Plausible::yes : Plausible::no;
}

std::size_t begins_in(Octets octets) {
  const auto instruction = decode(octets, kObserved);
  if (!instruction || instruction->header.pck != Pck::no_session) return Protocol::kNotHere;
  return is_faultless(*instruction) && has_fixed_values(*instruction) ? 0 : Protocol::kNotHere;
}

Beginning begins_at(Octets octets) {
  constexpr std::size_t kMost = std::size_t{8} << 10;  // octets of an instruction that is believed
  std::optional<std::uint32_t> session;
  for (Octets rest = octets;;) {
    if (rest.empty()) return Beginning::undecided;
    if (find_layout(rest[0]) == nullptr) return Beginning::no;
    if (rest.size() < kLeastHeader) return Beginning::undecided;
    if (static_cast<Pck>(rest[1] >> 5 & 3) != Pck::own_session) return Beginning::no;
    const auto extent = instruction_octets(rest, kObserved);
    if (!extent || extent->octets > kMost) return Beginning::no;
    if (!extent->complete || extent->octets > rest.size()) return Beginning::undecided;
    const auto instruction = decode(rest, kObserved);
    if (!instruction || !is_faultless(*instruction)) return Beginning::no;
    if (session) return *session == instruction->header.session_id ? Beginning::yes : Beginning::no;
    session = instruction->header.session_id;
    if (*session == kZeroSession) return Beginning::no;
    rest = rest.subspan(static_cast<std::size_t>(extent->octets));
  }
}

}  // namespace wirelaw::umsp
