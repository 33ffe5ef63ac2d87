// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/6-exchange/exchange_checks.h"

namespace wirelaw::umsp {
namespace {

// The index of an extension header in the instruction; none if it is absent.
std::optional<std::size_t> find_header(const SeenInstruction& seen, HeadCode code) {
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index)
    if (seen.instruction.extensions[index].head_code == static_cast<std::uint16_t>(code)) return index;
  return std::nullopt;
}

bool is_empty(const SeenInstruction& seen, Operand operand) {
  const auto octets = seen.octets_of(operand);
  return !octets || octets->empty();
}

constexpr std::string_view kNeeded = "data in the operands, or a _DATA header";

}  // namespace

bool judge_data_once(Judge& judge, const SeenInstruction& seen, Operand operand, const Rule& once) {
  const auto header = find_header(seen, HeadCode::data);
  if (!header) return true;
  return judge.require(
      once, is_empty(seen, operand), seen.extension(*header), expected("no _DATA header: the operands have data"),
      actual([&] { return fmt::format("_DATA, and {} octets of operands", seen.operand(operand).length); }));
}

void judge_data_there(Judge& judge, const SeenInstruction& seen, Operand operand, const Rule& there) {
  if (find_header(seen, HeadCode::data)) return;
  judge.require(there, !is_empty(seen, operand), seen.all_operands(), expected(kNeeded), actual("neither"));
}

void advise_data_there(Judge& judge, const SeenInstruction& seen, Operand operand, const Rule& there) {
  if (find_header(seen, HeadCode::data)) return;
  judge.advise(there, !is_empty(seen, operand), seen.all_operands(), expected(kNeeded), actual("neither"));
}

void judge_count(Judge& judge, const SeenInstruction& seen, const Rule& zero, const Rule& not_none) {
  if (const auto value = seen.value(Operand::zero))
    judge.require(zero, *value == 0, seen.operand(Operand::zero), expected(0), actual(*value));
  if (const auto count = seen.value(Operand::data_length))
    judge.require(not_none, *count != 0, seen.operand(Operand::data_length), expected("1 or more"), actual(*count));
}

void judge_name_there(Judge& judge, const SeenInstruction& seen, const Rule& there) {
  const bool has_name = find_header(seen, HeadCode::name).has_value();
  judge.require(there, has_name, octets(0, 2), expected("a _NAME header"), actual("none"));
}

}  // namespace wirelaw::umsp
