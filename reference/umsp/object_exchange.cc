// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/object_exchange.h"

#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kWord = 4;

void put(Writer& out, const ObjectKind& object) {
  out.big_endian(object.number).big_endian(object.version).big_endian(object.realization);
}

Draft at_offset(Opcode opcode, const ObjectKind& object, std::uint32_t offset, Octets data) {
  OctetBuffer operands;
  Writer out(operands);
  put(out, object);
  out.big_endian(offset).octets(data);
  return draft_of(opcode, std::move(operands));
}

Draft counted(Opcode opcode, const ObjectKind& object, std::uint32_t offset, Octets data) {
  OctetBuffer operands;
  Writer out(operands);
  put(out, object);
  out.big_endian(static_cast<std::uint32_t>(data.size())).octets(data);
  while (operands.size() % kWord != 0) operands.push_back(0);
  Writer(operands).big_endian(offset);
  return draft_of(opcode, std::move(operands));
}

void put_sender(Writer& out, const std::optional<VmKind>& sender) {
  if (sender) out.big_endian(sender->type).big_endian(sender->version);
}

Draft named(Draft draft, std::string_view name) {
  if (!name.empty()) draft.extensions.push_back(text_extension(HeadCode::name, name));
  return draft;
}

}  // namespace

std::optional<ObjectKind> object_in(const Instruction& instruction) {
  const OperandView view = locate(instruction);
  const auto number = value_of(view, Operand::object_number, instruction.operands);
  if (!number) return std::nullopt;
  const auto field = [&](Operand operand) {
    return static_cast<std::uint16_t>(value_of(view, operand, instruction.operands).value_or(0));
  };
  return ObjectKind{static_cast<std::uint32_t>(*number), field(Operand::object_version),
                    field(Operand::object_realization)};
}

Draft obj_req_data(const ObjectKind& object, std::uint32_t offset, std::uint32_t octets) {
  OctetBuffer operands;
  Writer out(operands);
  put(out, object);
  out.big_endian(octets).big_endian(offset);
  return draft_of(Opcode::obj_req_data_4, std::move(operands));
}
Draft obj_write(const ObjectKind& object, std::uint32_t offset, Octets data) {
  return at_offset(Opcode::obj_write_4, object, offset, data);
}
Draft obj_write_ext(const ObjectKind& object, std::uint32_t offset, Octets data) {
  return counted(Opcode::obj_write_ext, object, offset, data);
}
Draft obj_compare(const ObjectKind& object, std::uint32_t offset, Octets data) {
  return at_offset(Opcode::obj_data_cmp_4, object, offset, data);
}
Draft obj_compare_ext(const ObjectKind& object, std::uint32_t offset, Octets data) {
  return counted(Opcode::obj_data_cmp_ext, object, offset, data);
}

Draft call_by_number(const ObjectKind& object, std::uint32_t procedure, Octets parameters,
                     std::optional<VmKind> sender) {
  OctetBuffer operands;
  Writer out(operands);
  put_sender(out, sender);
  put(out, object);
  out.big_endian(procedure).octets(parameters);
  return draft_of(sender ? Opcode::call_bnum_vm : Opcode::call_bnum, std::move(operands));
}
Draft call_by_name(const ObjectKind& object, std::string_view procedure, Octets parameters,
                   std::optional<VmKind> sender) {
  OctetBuffer operands;
  Writer out(operands);
  put_sender(out, sender);
  put(out, object);
  out.octets(parameters);
  return named(draft_of(sender ? Opcode::call_bname_vm : Opcode::call_bname, std::move(operands)), procedure);
}
Draft procedure_number_of(const ObjectKind& object, std::string_view procedure) {
  OctetBuffer operands;
  Writer out(operands);
  put(out, object);
  return named(draft_of(Opcode::get_num_proc, std::move(operands)), procedure);
}

Draft new_object(Opcode create_or_sys_new, VmKind vm, const ObjectKind& version, Octets data, std::string_view name) {
  OctetBuffer operands;
  Writer(operands)
      .big_endian(vm.type)
      .big_endian(vm.version)
      .big_endian(version.version)
      .big_endian(version.realization)
      .octets(data);
  return named(draft_of(create_or_sys_new, std::move(operands)), name);
}
Draft delete_object(std::uint32_t number) {
  OctetBuffer operands;
  Writer(operands).big_endian(number);
  return draft_of(Opcode::destroy, std::move(operands));
}

Draft seek_object(std::string_view name) {
  return named(draft_of(Opcode::obj_seek), name);
}
Draft name_of_object(std::uint32_t number) {
  OctetBuffer operands;
  Writer(operands).big_endian(number);
  return draft_of(Opcode::obj_get_name, std::move(operands));
}

}  // namespace wirelaw::umsp
