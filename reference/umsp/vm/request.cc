// SPDX-License-Identifier: Apache-2.0
// Reads the operands of an instruction, and looks up what they name.
#include <algorithm>

#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {
namespace {

using enum Operand;

constexpr Refusal refusal(ReturnCode code) {
  return {code};
}
constexpr auto kMalformed = refusal(ReturnCode::malformed);
constexpr auto kBadAddress = refusal(ReturnCode::bad_address);

bool allows_data(const Instruction& instruction) {
  const Layout* layout = find_layout(instruction.opcode());
  return layout != nullptr && layout->lists(HeadCode::data);
}

// The operand that is carried in _DATA if it is not in the operands, and what it is called elsewhere.
constexpr Operand kContents[] = {data, code, parameters, initial_data};

// True if the instruction needs contents: data, code, parameters or initial data.
bool needs_contents(const Request& request) {
  return request.is(Opcode::write_2, Opcode::cmp_ext) || request.is(Opcode::mvcode) || request.is(Opcode::mvrun) ||
         request.is(Opcode::syn_4, Opcode::syn_16) || request.is(Opcode::obj_write_2, Opcode::obj_data_cmp_ext);
}

}  // namespace

VirtualMachine::Either<Request> VirtualMachine::read(const Instruction& instruction, const Circumstances& at) const {
  Request request{.instruction = instruction, .at = at, .view = place(instruction), .task = task_of(at)};
  if (request.view.flaw && *request.view.flaw != OperandFlaw::padding) return tl::unexpected(kMalformed);
  if (find_task(request.task) == nullptr) return tl::unexpected(refusal(ReturnCode::no_task));
  request.length = request.has(memory_size) ? request.value(memory_size) : request.value(Operand::length);
  read_name(request);
  using Reading = Check (VirtualMachine::*)(Request&) const;
  static constexpr Reading kReadings[] = {&VirtualMachine::read_addresses, &VirtualMachine::read_data,
                                          &VirtualMachine::read_vm, &VirtualMachine::read_object};
  for (const Reading reading : kReadings)
    if (const Check flaw = (this->*reading)(request)) return tl::unexpected(*flaw);
  return request;
}

OperandView VirtualMachine::place(const Instruction& instruction) const {
  return locate(instruction, {.address = static_cast<std::uint8_t>(options_.format.memory_octets()),
                              .complete_addresses = options_.complete_addresses});
}

VirtualMachine::Check VirtualMachine::read_addresses(Request& request) const {
  if (const Octets field = request.field(memory_address); !field.empty()) {
    const auto address = local_address(field, request.at);
    if (!address) return address.error();
    request.address = *address;
  }
  if (const Octets field = request.field(Operand::offset); !field.empty()) {
    const auto offset = object_offset(field);
    if (!offset) return offset.error();
    request.offset = *offset;
  }
  return std::nullopt;
}

// 6: a field as long as the node's addresses, longer by zeros in front (3 octets in 4, 2 in 4), shorter, or complete.
VirtualMachine::Either<std::uint64_t> VirtualMachine::local_address(Octets field, const Circumstances& at) const {
  const std::size_t own = options_.format.memory_octets();
  if (field.size() == kAddressOctets) return complete_address(*decode_address(field));
  const std::uint64_t given = number_of(field);
  if (field.size() < own) return short_address(given, at);
  const bool as_long = field.size() == own || (own < 4 && field.size() == 4);
  if (!as_long || given > TaskMemory(own).last_address()) return tl::unexpected(kBadAddress);
  return given;
}

// The node is known by its own address alone, and has given no pointer with something in FREE.
VirtualMachine::Either<std::uint64_t> VirtualMachine::complete_address(const Address& address) const {
  if (!options_.complete_addresses || address.format() != options_.format || address.uses_free())
    return tl::unexpected(kBadAddress);
  if (options_.node && !std::ranges::equal(address.node(), *options_.node)) return tl::unexpected(kBadAddress);
  return address.memory();
}

// 7.6: a displacement in chains, of nodes whose addresses have more than two octets.
VirtualMachine::Either<std::uint64_t> VirtualMachine::short_address(std::uint64_t given,
                                                                    const Circumstances& at) const {
  if (!at.chained) return given;
  const std::uint64_t last = TaskMemory(options_.format.memory_octets()).last_address();
  if (!at.base || *at.base > last || given > last - *at.base) return tl::unexpected(kBadAddress);
  return *at.base + given;
}

// 6.6: an offset has the forms of a local address. The base of a chain is a memory address, so a shorter offset is
// always padded with zeros.
VirtualMachine::Either<std::uint64_t> VirtualMachine::object_offset(Octets field) const {
  const std::size_t own = options_.format.memory_octets();
  const std::uint64_t given = number_of(field);
  const bool too_long = field.size() > std::max<std::size_t>(own, 4);
  if (too_long || given > TaskMemory(own).last_address()) return tl::unexpected(kBadAddress);
  return given;
}

// Data are in the operands or in _DATA, but not in both (6.1.2 ...). Those of a NOP are ignored (6.5.2).
VirtualMachine::Check VirtualMachine::read_data(Request& request) const {
  if (request.is(Opcode::nop)) return std::nullopt;
  if (request.value(zero) != 0) return kMalformed;
  if (request.has(data_length) && request.value(data_length) == 0) return kMalformed;
  request.data = data_of(request);
  request.mask = request.field(mask);
  const auto code = static_cast<std::uint16_t>(HeadCode::data);
  const auto headers = std::ranges::count(request.instruction.extensions, code, &ExtensionHeader::head_code);
  if (headers > 0) {
    if (headers > 1 || !allows_data(request.instruction) || !request.data.empty()) return kMalformed;
    request.data = request.instruction.find_extension(code)->data;
  }
  if (request.data.empty() && needs_contents(request)) return kMalformed;
  return std::nullopt;
}

Octets VirtualMachine::data_of(const Request& request) const {
  for (const Operand one : kContents)
    if (request.has(one)) return request.field(one);
  return {};
}

VirtualMachine::Check VirtualMachine::read_vm(Request& request) const {
  const auto number = [&](Operand operand) { return static_cast<std::uint16_t>(request.value(operand)); };
  if (request.has(vm_type) && !runs(number(vm_type), number(vm_version))) return refusal(ReturnCode::wrong_vm);
  if (!request.has(sender_vm_type)) return std::nullopt;
  const auto order = format_of(number(sender_vm_type), number(sender_vm_version));
  if (!order) return order.error();
  request.order = *order;
  return std::nullopt;
}

// It knows only those of its own type; a later version may have another.
VirtualMachine::Either<WordOrder> VirtualMachine::format_of(std::uint16_t type, std::uint16_t version) const {
  if (!runs(type, version)) return tl::unexpected(refusal(ReturnCode::wrong_vm));
  return version == kLeastFirstVersion ? WordOrder::least_first : WordOrder::most_first;
}

// For an existing object. NEW and SYS_NEW have a version, but no number.
VirtualMachine::Check VirtualMachine::read_object(Request& request) const {
  request.version = {static_cast<std::uint16_t>(request.value(object_version)),
                     static_cast<std::uint16_t>(request.value(object_realization))};
  if (request.version.version == 0 && request.version.realization != 0) return kMalformed;
  if (!request.has(object_number)) return std::nullopt;
  const Object* const object = find_object(static_cast<std::uint32_t>(request.value(object_number)));
  if (object == nullptr || !is_visible(*object, request.task) || !object->has(request.version))
    return refusal(ReturnCode::no_object);
  request.object = object;
  return std::nullopt;
}

bool VirtualMachine::is_visible(const Object& object, std::uint64_t task) const {
  return umsp::is_visible(object, task);
}

// Without what fills up a name of odd length (UMSP/A18), or an S20 header.
void VirtualMachine::read_name(Request& request) const {
  const ExtensionHeader* header = request.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::name));
  if (header == nullptr) return;
  request.name.assign(header->data.begin(), header->data.end());
  while (!request.name.empty() && request.name.back() == 0) request.name.pop_back();
}

}  // namespace wirelaw::umsp
