// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/profile.h"

#include <algorithm>

#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

using enum Opcode;

struct Codes {
  Opcode first, last;
  constexpr bool contain(std::uint8_t opcode) const {
    return opcode >= static_cast<std::uint8_t>(first) && opcode <= static_cast<std::uint8_t>(last);
  }
};
struct Function {
  ProfileFlag flag;
  Codes codes;
};
constexpr Function kFunctions[] = {{ProfileFlag::objects, {obj_req_data_2, get_num_proc}},
                                   {ProfileFlag::objects, {create, sys_new}},
                                   {ProfileFlag::objects, {destroy, obj_get_name}},
                                   {ProfileFlag::object_memory, {obj_req_data_2, obj_data_cmp_ext}},
                                   {ProfileFlag::procedure_names, {call_bname, get_num_proc}},
                                   {ProfileFlag::object_names, {obj_seek, obj_seek}},
                                   {ProfileFlag::reading, {req_data_2, req_data_4}},
                                   {ProfileFlag::reading, {cmp_2, cmp_ext}},
                                   {ProfileFlag::reading, {obj_req_data_2, obj_req_data_4}},
                                   {ProfileFlag::reading, {obj_data_cmp_2, obj_data_cmp_ext}},
                                   {ProfileFlag::writing, {write_2, write_ext}},
                                   {ProfileFlag::writing, {obj_write_2, obj_write_ext}},
                                   {ProfileFlag::control, {jump, call_vm}},
                                   {ProfileFlag::synchronizing, {syn_4, syn_16}},
                                   {ProfileFlag::long_addresses, {write_16, write_16}},
                                   {ProfileFlag::long_addresses, {cmp_16, cmp_16}},
                                   {ProfileFlag::long_addresses, {syn_16, syn_16}}};

struct ChainKind {
  HeadCode head_code;
  ProfileFlag flag;
};
constexpr ChainKind kChainKinds[] = {{HeadCode::begin_frg, ProfileFlag::fragments},
                                     {HeadCode::begin_sq, ProfileFlag::sequences},
                                     {HeadCode::begin_tr, ProfileFlag::transactions}};

bool names_object(const Instruction& instruction) {
  const auto code = static_cast<Opcode>(instruction.opcode());
  return (code == create || code == sys_new) &&
         instruction.find_extension(static_cast<std::uint16_t>(HeadCode::name)) != nullptr;
}

}  // namespace

bool takes(std::uint32_t profile, const Instruction& instruction) {
  constexpr std::size_t kShortOperands = 6 * 4;
  if (missing_function(instruction, profile)) return false;
  if (instruction.operands.size() > kShortOperands && !takes_long_operands(profile)) return false;
  const std::size_t most = most_extension_data(profile);
  if (std::ranges::any_of(instruction.extensions,
                          [most](const ExtensionHeader& one) { return one.data.size() > most; }))
    return false;
  const auto limit = most_data(profile);
  if (!limit || instruction.opcode() == static_cast<std::uint8_t>(nop)) return true;
  const OperandView view = locate(instruction);
  const Located* const data = view.find(Operand::data);
  return data == nullptr || data->length <= *limit;
}

std::optional<ProfileFlag> missing_function(const Instruction& instruction, std::uint32_t profile) {
  for (const ChainKind& one : kChainKinds)
    if (!has(profile, one.flag) && instruction.find_extension(static_cast<std::uint16_t>(one.head_code)) != nullptr)
      return one.flag;
  const Layout* const layout = find_layout(instruction.opcode());
  if (layout == nullptr || layout->response || class_of(instruction.opcode()) != OpcodeClass::exchange)
    return std::nullopt;
  const bool request = instruction.opcode() != static_cast<std::uint8_t>(nop) && !controls_chain(instruction.opcode());
  if (request && !has(profile, ProfileFlag::in_session)) return ProfileFlag::in_session;
  for (const Function& one : kFunctions)
    if (!has(profile, one.flag) && one.codes.contain(instruction.opcode())) return one.flag;
  if (!has(profile, ProfileFlag::object_names) && names_object(instruction)) return ProfileFlag::object_names;
  return std::nullopt;
}

}  // namespace wirelaw::umsp
