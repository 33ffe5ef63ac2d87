// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/instruction_rules.h"

#include <array>

#include "conformance/umsp/2.1-addresses/addresses.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

const InstructionRules* rules_of(Opcode opcode) {
  static const auto kByCode = [] {
    std::array<const InstructionRules*, 256> all{};
    for (const SectionTables& section : section_tables())
      for (const InstructionRules& one : section.instructions)
        for (unsigned code = static_cast<unsigned>(one.first); code <= static_cast<unsigned>(one.last); ++code)
          all[code] = &one;
    return all;
  }();
  return kByCode[static_cast<std::uint8_t>(opcode)];
}

constexpr std::size_t kHeadCodes = 32;

const ExtensionRules* rules_of(HeadCode code) {
  static const auto kByCode = [] {
    std::array<const ExtensionRules*, kHeadCodes> all{};
    for (const SectionTables& section : section_tables())
      for (const ExtensionRules& one : section.extensions) all[static_cast<std::size_t>(one.head_code)] = &one;
    return all;
  }();
  return kByCode[static_cast<std::size_t>(code)];
}

// The values of a mask: "0 or 1", "01, 10 or 11".
std::string list_values(std::uint8_t mask, unsigned count, bool binary) {
  std::string text;
  unsigned left = 0;
  for (unsigned value = 0; value < count; ++value) left += mask >> value & 1;
  for (unsigned value = 0; value < count; ++value) {
    if ((mask >> value & 1) == 0) continue;
    --left;
    text += binary ? fmt::format("{:02b}", value) : fmt::format("{}", value);
    if (left > 0) text += left == 1 ? " or " : ", ";
  }
  return text;
}

std::string list_lengths(LengthRange length) {
  if (length.least == length.most) return fmt::format("{} words", length.least);
  return fmt::format("{} to {} words", length.least, length.most);
}

void judge_flags(Judge& judge, const SeenInstruction& seen, const Layout& layout, const InstructionRules& rules) {
  const Header& header = seen.header();
  if (rules.ask)
    judge.require(*rules.ask, layout.allows_ask(header.ask), seen.field(HeaderField::ask),
                  expected([&] { return "ASK " + list_values(layout.ask, 2, false); }), actual(header.ask));
  if (rules.pck)
    judge.require(*rules.pck, layout.allows_pck(header.pck), seen.field(HeaderField::pck),
                  expected([&] { return "PCK " + list_values(layout.pck, 4, true); }),
                  actual([&] { return fmt::format("{:02b}", static_cast<unsigned>(header.pck)); }));
  if (rules.chn)
    judge.require(*rules.chn, layout.allows_chn(header.chn), seen.field(HeaderField::chn),
                  expected([&] { return "CHN " + list_values(layout.chn, 2, false); }), actual(header.chn));
  if (rules.ext)
    judge.require(*rules.ext, layout.allows_ext(header.ext), seen.field(HeaderField::ext),
                  expected([&] { return "EXT " + list_values(layout.ext, 2, false); }), actual(header.ext));
}

}  // namespace

bool is_judged_by_table(const SeenInstruction& seen) {
  const InstructionRules* const rules = seen.layout != nullptr ? rules_of(seen.layout->opcode) : nullptr;
  if (rules == nullptr) return false;
  // Responses have their own rule, which considers the request (4.1).
  const bool has_pck_rule = rules->pck != nullptr || seen.is(Opcode::rsp) || seen.is(Opcode::rsp_p);
  return (has_pck_rule && !seen.layout->allows_pck(seen.header().pck)) ||
         (rules->chn != nullptr && !seen.layout->allows_chn(seen.header().chn));
}

void judge_instruction(Judge& judge, const SeenInstruction& seen) {
  if (seen.layout == nullptr) return;
  const Layout& layout = *seen.layout;
  if (has_form(seen.operands))
    judge_addresses(judge, seen.operands, seen.instruction.operands, seen.all_operands().offset);
  const InstructionRules* const rules = rules_of(layout.opcode);
  if (rules == nullptr) return;
  judge_flags(judge, seen, layout, *rules);
  if (rules->opr_length) {
    const bool holds =
        judge.require(*rules->opr_length, layout.length.contains(seen.header().opr_length),
                      seen.field(seen.header().is_extended() ? HeaderField::opr_length_ext : HeaderField::opr_length),
                      expected([&] { return list_lengths(layout.length); }), actual(seen.header().opr_length));
    if (!holds) return;  // with another length, it cannot have the form either
  }
  const bool fits = has_form(seen.operands);
  if (rules->operands)
    judge.require(*rules->operands, fits,
                  octets(seen.all_operands().offset + seen.operands.flaw_offset,
                         seen.all_operands().length - std::min(seen.all_operands().length, seen.operands.flaw_offset)),
                  expected([&] { return fmt::format("the operands of {}", layout.name); }), actual([&] {
                    return seen.operands.flaw ? std::string(explain(*seen.operands.flaw)) : std::string();
                  }),
                  seen.operands.flaw_operand);
  if (fits && rules->judge) rules->judge(judge, seen);
}

void judge_extension_rows(Judge& judge, const SeenInstruction& seen) {
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index) {
    const ExtensionHeader& header = seen.instruction.extensions[index];
    const ExtensionLayout* const layout = find_extension(header.head_code);
    if (layout == nullptr) continue;
    const OperandView view = locate(header);
    if (has_form(view)) judge_addresses(judge, view, header.data, seen.extension_data(index).offset);
    const ExtensionRules* const rules = rules_of(layout->head_code);
    if (rules == nullptr) continue;
    if (rules->hob)
      judge.require(*rules->hob, header.hob == layout->hob, seen.extension(index), expected(layout->hob),
                    actual(header.hob));
    if (rules->head_length &&
        !judge.require(*rules->head_length, layout->length.contains(header.head_length), seen.extension(index),
                       expected([&] { return list_lengths(layout->length); }), actual(header.head_length)))
      continue;
    if (rules->data)
      judge.require(*rules->data, has_form(view), seen.extension_data(index),
                    expected([&] { return fmt::format("the data of {}", layout->name); }),
                    actual([&] { return view.flaw ? std::string(explain(*view.flaw)) : std::string(); }),
                    view.flaw_operand);
    if (has_form(view) && rules->judge) rules->judge(judge, seen, index);
  }
}

}  // namespace wirelaw::umsp
