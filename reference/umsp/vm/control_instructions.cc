// SPDX-License-Identifier: Apache-2.0
// RFC 3018 6.3, 6.4.5, 6.6.3: transfers of control. Requirements of the instruction are checked at once; its thread
// runs in advance() (7.4).
#include <utility>

#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {

VirtualMachine::Check VirtualMachine::check_thread(std::uint64_t task, std::size_t octets) const {
  if (pending() >= options_.pending) return Refusal{ReturnCode::too_many};
  return octets == 0 ? std::nullopt : check_memory(task, octets);
}

VirtualMachine::Check VirtualMachine::check_jump(const Request& request) const {
  const Area* area = find_task(request.task)->memory.find(request.address, kOperationOctets);
  if (area == nullptr || !is_executable(area->kind)) return Refusal{ReturnCode::bad_address};
  return check_thread(request.task, request.data.size());
}

// JUMP is answered at once, and CALL by RETURN (6.3.1).
Execution VirtualMachine::perform_jump(const Request& request) {
  const Execution begun = begin_thread(request, request.address, {}, request.data);
  return request.is(Opcode::jump, Opcode::jump_vm) ? answer(request, positive()) : begun;
}

VirtualMachine::Check VirtualMachine::check_mvrun(const Request& request) const {
  const auto image = decode_image(request.data);
  if (!image) return Refusal{ReturnCode::bad_code};
  return check_thread(request.task, image->code.size() + image->parameters.size());
}

Execution VirtualMachine::perform_mvrun(const Request& request) {
  const Image image = *decode_image(request.data);
  return begin_thread(request, std::nullopt, image.code, image.parameters);
}

const Procedure* VirtualMachine::find_procedure(const Request& request) const {
  if (request.has(Operand::procedure_number))
    return request.object->find(static_cast<std::uint32_t>(request.value(Operand::procedure_number)));
  return request.object->find(request.name);
}

VirtualMachine::Check VirtualMachine::check_procedure(const Request& request) const {
  const Procedure* procedure = find_procedure(request);
  if (procedure == nullptr || procedure->code.empty()) return Refusal{ReturnCode::no_procedure};
  return check_thread(request.task, procedure->code.size() + request.data.size());
}

Execution VirtualMachine::perform_procedure(const Request& request) {
  return begin_thread(request, std::nullopt, find_procedure(request)->code, request.data);
}

Execution VirtualMachine::begin_thread(const Request& request, std::optional<std::uint64_t> at, Octets code,
                                       Octets parameters) {
  Thread thread{
      .task = request.task, .session = request.at.session, .life_time = request.at.life_time, .order = request.order};
  if (request.instruction.header.ask && !request.is(Opcode::jump, Opcode::jump_vm))
    thread.req_id = request.instruction.header.req_id;
  OctetBuffer own(code.begin(), code.end());
  own.insert(own.end(), parameters.begin(), parameters.end());
  if (!own.empty()) {
    thread.own_area = allocate(thread.task, code.empty() ? AreaKind::parameters : AreaKind::run_code, std::move(own));
    if (!parameters.empty()) thread.registers[0] = *thread.own_area + code.size();
  }
  thread.registers[1] = parameters.size();
  thread.at = at ? *at : *thread.own_area;
  threads_.emplace(++last_thread_, thread);
  return {.kind = Execution::Kind::under_way};
}

}  // namespace wirelaw::umsp
