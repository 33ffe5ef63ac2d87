// SPDX-License-Identifier: Apache-2.0
// Deviations in reading operands, and in the refusals that follow from them.
#include <algorithm>

#include "reference/umsp/vm/faults/faulty_vm.h"

namespace wirelaw::umsp {
namespace {

using enum VmDeviation;
using enum Opcode;

bool has_high_octet(const Request& request) {
  return std::ranges::find(request.data, Octet{0xff}) != request.data.end();
}
bool makes_object(const Request& request) {
  return request.is(create, sys_new);
}
// True if the instruction uses memory of this kind.
bool is_about(AreaKind kind, const Request& request, const TaskMemory& memory) {
  const Area* area = request.has(Operand::memory_address) ? memory.find(request.address, 1) : nullptr;
  return area != nullptr && area->kind == kind;
}

// Valid instructions that are refused.
struct Refused {
  VmDeviation deviation;
  bool (*is)(const Request& request, const TaskMemory& memory);
};
constexpr Refused kRefused[] = {
    {code_apart,
     [](const Request& request, const TaskMemory& memory) {
       return request.is(req_data_2, req_data_4) && is_about(AreaKind::code, request, memory);
     }},
    {alignment_demanded, [](const Request& request, const TaskMemory&) { return request.address % 4 != 0; }},
    {code_looked_into,
     [](const Request& request, const TaskMemory&) { return request.is(mvcode) && has_high_octet(request); }},
    {moved_code_not_run,
     [](const Request& request, const TaskMemory& memory) {
       return request.is(jump, call_vm) && is_about(AreaKind::code, request, memory);
     }},
    {run_code_looked_into,
     [](const Request& request, const TaskMemory&) { return request.is(mvrun) && has_high_octet(request); }},
    {nop_operands_refused, [](const Request& request,
                              const TaskMemory&) { return request.is(nop) && !request.instruction.operands.empty(); }},
    {nop_headers_refused, [](const Request& request,
                             const TaskMemory&) { return request.is(nop) && !request.instruction.extensions.empty(); }},
    {realization_exact,
     [](const Request& request, const TaskMemory&) {
       return request.object != nullptr && request.version.realization != 0 &&
              request.version.realization != request.object->version().realization;
     }},
    {any_version_refused,
     [](const Request& request, const TaskMemory&) {
       return request.object != nullptr && request.has(Operand::object_version) && request.version.realization == 0;
     }},
    {objects_not_made, [](const Request& request, const TaskMemory&) { return makes_object(request); }},
    {object_names_refused,
     [](const Request& request, const TaskMemory&) { return makes_object(request) && !request.name.empty(); }},
    {new_demands_name,
     [](const Request& request, const TaskMemory&) { return makes_object(request) && request.name.empty(); }},
    {new_looked_into,
     [](const Request& request, const TaskMemory&) { return makes_object(request) && has_high_octet(request); }},
    {get_name_refused, [](const Request& request, const TaskMemory&) { return request.is(obj_get_name); }},
    {seek_refused, [](const Request& request, const TaskMemory&) { return request.is(obj_seek); }},
    {user_procedures_not_called,
     [](const Request& request, const TaskMemory&) {
       return request.is(call_bnum, call_bnum_vm) && !may_have_names(request.object->number);
     }},
};

struct Padded {
  VmDeviation deviation;
  Opcode opcode;
};
constexpr Padded kPadded[] = {{write_padding, write_ext},
                              {cmp_padding, cmp_ext},
                              {obj_write_padding, obj_write_ext},
                              {obj_cmp_padding, obj_data_cmp_ext}};

}  // namespace

bool FaultyVm::refuses(const Request& request) const {
  const TaskMemory& memory = find_task(request.task)->memory;
  return std::ranges::any_of(kRefused,
                             [&](const Refused& one) { return deviates(one.deviation) && one.is(request, memory); });
}

VirtualMachine::Either<Request> FaultyVm::read(const Instruction& instruction, const Circumstances& at) const {
  reads_new_ = instruction.opcode() == static_cast<std::uint8_t>(create) ||
               instruction.opcode() == static_cast<std::uint8_t>(sys_new);
  auto request = VirtualMachine::read(instruction, at);
  if (!request) return request;
  if (refuses(*request)) return tl::unexpected(Refusal{ReturnCode::malformed});
  if (deviates(parameters_least_first) && !request->has(Operand::sender_vm_type))
    request->order = WordOrder::least_first;
  if (deviates(syn_initial_ignored) && request->is(syn_4, syn_16))
    if (const auto there = find_task(request->task)->memory.look(request->address, request->data.size()))
      request->data = *there;
  return request;
}

OperandView FaultyVm::place(const Instruction& instruction) const {
  constexpr std::size_t kLengthAndFour = 8;
  const bool longer =
      instruction.opcode() == static_cast<std::uint8_t>(req_data_4) && instruction.operands.size() > kLengthAndFour;
  if (!longer || !deviates(opr_length_ignored)) return VirtualMachine::place(instruction);
  Instruction shorter = instruction;
  shorter.operands = instruction.operands.first(kLengthAndFour);
  return VirtualMachine::place(shorter);
}

std::uint64_t FaultyVm::task_of(const Circumstances& at) const {
  const auto first = tasks_.upper_bound(0);
  return deviates(other_jobs_memory) && at.task != 0 && first != tasks_.end() ? first->first : at.task;
}

VirtualMachine::Either<std::uint64_t> FaultyVm::local_address(Octets field, const Circumstances& at) const {
  const std::size_t own = options_.format.memory_octets();
  const bool spare = field.size() == 4 && own < 4;
  if (spare && deviates(own == 3 ? address24_first : address16_first)) return number_of(field.first(own));
  if (spare && deviates(own == 3 ? address24_octet_ignored : address16_octets_ignored))
    return number_of(field.last(own));
  if (field.size() < own && !at.chained && deviates(short_not_filled))
    return number_of(field) << (own - field.size()) * 8;
  if (field.size() > std::max<std::size_t>(own, 4) && field.size() != kAddressOctets && deviates(longer_cut))
    return number_of(field.last(own));
  return VirtualMachine::local_address(field, at);
}

VirtualMachine::Either<std::uint64_t> FaultyVm::short_address(std::uint64_t given, const Circumstances& at) const {
  if (deviates(base_ignored) && at.base) return given;
  if (deviates(short_without_base) && !at.base) return given;
  return VirtualMachine::short_address(given, at);
}

VirtualMachine::Either<std::uint64_t> FaultyVm::object_offset(Octets field) const {
  constexpr std::uint64_t kMore = 4;
  const auto offset = VirtualMachine::object_offset(field);
  return deviates(offset_from_four) && offset && *offset < ~kMore ? Either<std::uint64_t>(*offset + kMore) : offset;
}

bool FaultyVm::runs(std::uint16_t type, std::uint16_t version) const {
  if (deviates(code_of_any_vm) || (deviates(new_of_any_vm) && reads_new_)) return true;
  if (deviates(smaller_versions_refused) && version != options_.vm_version) return false;
  return VirtualMachine::runs(type, version);
}

VirtualMachine::Either<WordOrder> FaultyVm::format_of(std::uint16_t type, std::uint16_t version) const {
  return deviates(sender_vm_ignored) ? WordOrder::most_first : VirtualMachine::format_of(type, version);
}

Octets FaultyVm::data_of(const Request& request) const {
  for (const Padded& one : kPadded) {
    const Located* located = request.view.find(Operand::data);
    if (!deviates(one.deviation) || !request.is(one.opcode) || located == nullptr) continue;
    return request.instruction.operands.subspan(located->offset, (located->length + 3) / 4 * 4);
  }
  return VirtualMachine::data_of(request);
}

}  // namespace wirelaw::umsp
