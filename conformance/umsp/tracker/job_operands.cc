// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/job_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference/umsp/management.h"

namespace wirelaw::umsp {
namespace {

bool is_certain(const SeenInstruction& seen) {
  return !seen.operands.flaw || *seen.operands.flaw == OperandFlaw::padding;
}

std::optional<Identifier> certain_identifier(const SeenInstruction& seen, Operand operand) {
  const auto field = is_certain(seen) ? seen.octets_of(operand) : std::nullopt;
  if (!field) return std::nullopt;
  const auto identifier = decode_identifier(*field);
  return identifier ? std::optional(*identifier) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> certain_value(const SeenInstruction& seen, Operand operand) {
  return is_certain(seen) ? seen.value(operand) : std::nullopt;
}

std::optional<Identifier> certain_gjid(const SeenInstruction& seen) {
  return certain_identifier(seen, Operand::gjid);
}

std::optional<std::size_t> find_inaction_time(const SeenInstruction& seen) {
  const auto& all = seen.instruction.extensions;
  const auto found =
      std::ranges::find(all, static_cast<std::uint16_t>(HeadCode::inaction_time), &ExtensionHeader::head_code);
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

std::optional<std::uint16_t> period_of(const SeenInstruction& seen) {
  const auto index = find_inaction_time(seen);
  if (!index) return std::nullopt;
  const ExtensionHeader& header = seen.instruction.extensions[*index];
  const OperandView view = locate(header);
  const auto value = value_of(view, Operand::inaction_period, header.data);
  if (view.flaw || !value) return std::nullopt;
  return static_cast<std::uint16_t>(*value);
}

std::optional<std::string> job_name_of(const SeenInstruction& seen) {
  const auto name = name_of(seen.instruction);
  return name && name->size() <= kMostJobName ? std::optional<std::string>(*name) : std::nullopt;
}

std::optional<Identifier> certain_gtid(const SeenInstruction& seen) {
  return certain_identifier(seen, Operand::gtid);
}

std::optional<EndCodes> end_codes_of(const SeenInstruction& seen) {
  for (const auto& [basic, additional] :
       {std::pair(Operand::basic_termination_code, Operand::additional_termination_code),
        std::pair(Operand::basic_completion_code, Operand::additional_completion_code)}) {
    const auto first = certain_value(seen, basic), second = certain_value(seen, additional);
    if (first && second) return EndCodes{*first, *second};
  }
  return std::nullopt;
}

std::string to_string(const EndCodes& codes) {
  return fmt::format("{}, {}", codes.basic, codes.additional);
}

}  // namespace wirelaw::umsp
