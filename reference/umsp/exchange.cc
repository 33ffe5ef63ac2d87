// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/exchange.h"

#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kWord = 4;

void put(OctetBuffer& out, const Address& address) {
  out.insert(out.end(), address.octets.begin(), address.octets.end());
}

// For instructions that do not allow 2 octets.
MemoryAddress in_four(MemoryAddress address) {
  if (address.octets < 4) address.octets = 4;
  return address;
}

Opcode by_length(MemoryAddress address, Opcode of_2, Opcode of_4, Opcode of_8) {
  return address.octets == 2 ? of_2 : address.octets == 8 ? of_8 : of_4;
}

template <class At>
Draft with_data(Opcode opcode, const At& at, Octets data) {
  OctetBuffer operands;
  put(operands, at);
  operands.insert(operands.end(), data.begin(), data.end());
  return draft_of(opcode, std::move(operands));
}

Draft counted(Opcode opcode, MemoryAddress at, Octets data) {
  OctetBuffer operands;
  Writer(operands).big_endian(static_cast<std::uint32_t>(data.size()));
  operands.insert(operands.end(), data.begin(), data.end());
  while (operands.size() % kWord != 0) operands.push_back(0);
  put(operands, in_four(at));
  return draft_of(opcode, std::move(operands));
}

Draft of_code(Opcode opcode, VmKind vm, Octets code) {
  OctetBuffer operands;
  Writer(operands).big_endian(vm.type).big_endian(vm.version).octets(code);
  return draft_of(opcode, std::move(operands));
}

Draft transfer(Opcode plain, Opcode with_vm, MemoryAddress to, Octets parameters, std::optional<VmKind> sender) {
  OctetBuffer operands;
  if (sender) Writer(operands).big_endian(sender->type).big_endian(sender->version);
  put(operands, in_four(to));
  Writer(operands).big_endian(static_cast<std::uint16_t>((parameters.size() + kWord - 1) / kWord)).octets(parameters);
  for (std::size_t at = parameters.size(); at % kWord != 0; ++at) operands.push_back(0);
  return draft_of(sender ? with_vm : plain, std::move(operands));
}

}  // namespace

void put(OctetBuffer& out, MemoryAddress address) {
  for (unsigned left = address.octets; left-- > 0;) out.push_back(static_cast<Octet>(address.value >> (8 * left)));
}

Draft req_data(MemoryAddress from, std::uint32_t octets) {
  OctetBuffer operands;
  if (from.octets == 2)
    Writer(operands).big_endian(static_cast<std::uint16_t>(octets));
  else
    Writer(operands).big_endian(octets);
  put(operands, from);
  return draft_of(from.octets == 2 ? Opcode::req_data_2 : Opcode::req_data_4, std::move(operands));
}

Draft req_data(const Address& from, std::uint32_t octets) {
  OctetBuffer operands;
  Writer(operands).big_endian(octets);
  put(operands, from);
  return draft_of(Opcode::req_data_4, std::move(operands));
}

Draft write_data(MemoryAddress to, Octets data) {
  return with_data(by_length(to, Opcode::write_2, Opcode::write_4, Opcode::write_8), to, data);
}
Draft write_data(const Address& to, Octets data) {
  return with_data(Opcode::write_16, to, data);
}
Draft compare_data(MemoryAddress with, Octets data) {
  return with_data(by_length(with, Opcode::cmp_2, Opcode::cmp_4, Opcode::cmp_8), with, data);
}
Draft compare_data(const Address& with, Octets data) {
  return with_data(Opcode::cmp_16, with, data);
}
Draft write_ext(MemoryAddress to, Octets data) {
  return counted(Opcode::write_ext, to, data);
}
Draft compare_ext(MemoryAddress with, Octets data) {
  return counted(Opcode::cmp_ext, with, data);
}

Draft mem_alloc(std::uint32_t octets) {
  OctetBuffer operands;
  Writer(operands).big_endian(octets);
  return draft_of(Opcode::mem_alloc, std::move(operands));
}
Draft free_memory(MemoryAddress at) {
  OctetBuffer operands;
  put(operands, in_four(at));
  return draft_of(Opcode::free, std::move(operands));
}
Draft mvcode(VmKind vm, Octets code) {
  return of_code(Opcode::mvcode, vm, code);
}
Draft mvrun(VmKind vm, Octets code) {
  return of_code(Opcode::mvrun, vm, code);
}

Draft jump_to(MemoryAddress to, Octets parameters, std::optional<VmKind> sender) {
  return transfer(Opcode::jump, Opcode::jump_vm, to, parameters, sender);
}
Draft call_to(MemoryAddress to, Octets parameters, std::optional<VmKind> sender) {
  return transfer(Opcode::call, Opcode::call_vm, to, parameters, sender);
}

Draft synchronize(MemoryAddress at, Octets initial, Octets mask) {
  OctetBuffer operands;
  at = in_four(at);
  put(operands, at);
  operands.insert(operands.end(), initial.begin(), initial.end());
  operands.insert(operands.end(), mask.begin(), mask.end());
  return draft_of(at.octets == 8 ? Opcode::syn_8 : Opcode::syn_4, std::move(operands));
}

std::optional<MemoryAddress> address_in(const Instruction& address) {
  const OperandView view = locate(address);
  const Located* const found = view.find(Operand::memory_address);
  if (found == nullptr || found->length > 8) return std::nullopt;
  return MemoryAddress{number_of(octets_of(*found, address.operands)), static_cast<std::uint8_t>(found->length)};
}

}  // namespace wirelaw::umsp
