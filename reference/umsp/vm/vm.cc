// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/vm/vm.h"

#include <algorithm>
#include <utility>

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kMostOperands = 262140;  // octets (3.3)

bool is_response(std::uint8_t opcode) {
  const Layout* layout = find_layout(opcode);
  return layout != nullptr && layout->response && layout->opcode_class() == OpcodeClass::exchange;
}

}  // namespace

const VirtualMachine::Service* VirtualMachine::find_service(std::uint8_t opcode) {
  using Vm = VirtualMachine;
  using enum Opcode;
  static constexpr Service kServices[] = {
      {req_data_2, req_data_4, &Vm::check_req_data, &Vm::perform_req_data},
      {write_2, write_ext, &Vm::check_write, &Vm::perform_write},
      {cmp_2, cmp_ext, &Vm::check_cmp, &Vm::perform_cmp},
      {jump, call_vm, &Vm::check_jump, &Vm::perform_jump},
      {mem_alloc, mem_alloc, &Vm::check_mem_alloc, &Vm::perform_mem_alloc},
      {mvcode, mvcode, &Vm::check_mvcode, &Vm::perform_mvcode},
      {free, free, &Vm::check_free, &Vm::perform_free},
      {mvrun, mvrun, &Vm::check_mvrun, &Vm::perform_mvrun},
      {syn_4, syn_16, &Vm::check_syn, &Vm::perform_syn},
      {nop, nop, &Vm::check_nothing, &Vm::perform_nothing},
      {obj_req_data_2, obj_req_data_4, &Vm::check_obj_range, &Vm::perform_obj_req_data},
      {obj_write_2, obj_write_ext, &Vm::check_obj_range, &Vm::perform_obj_write},
      {obj_data_cmp_2, obj_data_cmp_ext, &Vm::check_obj_range, &Vm::perform_obj_cmp},
      {call_bnum, call_bname_vm, &Vm::check_procedure, &Vm::perform_procedure},
      {get_num_proc, get_num_proc, &Vm::check_get_num_proc, &Vm::perform_get_num_proc},
      {create, sys_new, &Vm::check_new, &Vm::perform_new},
      {destroy, destroy, &Vm::check_delete, &Vm::perform_delete},
      {obj_seek, obj_seek, &Vm::check_obj_seek, &Vm::perform_obj_seek},
      {obj_get_name, obj_get_name, &Vm::check_obj_get_name, &Vm::perform_obj_get_name},
  };
  for (const Service& service : kServices)
    if (opcode >= static_cast<std::uint8_t>(service.first) && opcode <= static_cast<std::uint8_t>(service.last))
      return &service;
  return nullptr;
}

VirtualMachine::VirtualMachine(VmOptions options) : options_(std::move(options)), objects_(options_.objects) {
  VirtualMachine::begin_task(0);
}

// --------------------------------------------------------------------------------------------------------------- tasks

const TaskMemory* VirtualMachine::memory(std::uint64_t task) const {
  const Task* found = find_task(task);
  return found == nullptr ? nullptr : &found->memory;
}

VirtualMachine::Task* VirtualMachine::find_task(std::uint64_t task) {
  const auto found = tasks_.find(task);
  return found == tasks_.end() ? nullptr : &found->second;
}

const VirtualMachine::Task* VirtualMachine::find_task(std::uint64_t task) const {
  const auto found = tasks_.find(task);
  return found == tasks_.end() ? nullptr : &found->second;
}

void VirtualMachine::begin_task(std::uint64_t task) {
  if (tasks_.contains(task) || tasks_.size() > options_.tasks) return;
  Task begun{.memory = TaskMemory(options_.format.memory_octets())};
  furnish(begun.memory);
  tasks_.emplace(task, std::move(begun));
}

void VirtualMachine::furnish(TaskMemory& memory) const {
  OctetBuffer procedures = offered::echo_code();
  const OctetBuffer sum = offered::sum_code();
  procedures.insert(procedures.end(), sum.begin(), sum.end());
  memory.add(options_.region_address, AreaKind::region, options_.region);
  memory.add(options_.procedures_address, AreaKind::permanent, std::move(procedures));
  memory.add(options_.pointers_address, AreaKind::pointers, OctetBuffer(options_.pointers_octets));
}

// The zero-session has no end.
void VirtualMachine::end_task(std::uint64_t task) {
  if (task != 0 && tasks_.contains(task)) release_task(task);
}

// The thread that waits for its responses has ended (6.4.4, 6.6.4.1).
void VirtualMachine::release_task(std::uint64_t task) {
  std::erase_if(threads_, [&](const auto& entry) { return entry.second.task == task; });
  std::erase_if(watches_, [&](const Watch& watch) { return watch.task == task; });
  delete_objects_of(task);
  allocated_ -= find_task(task)->allocated;
  tasks_.erase(task);
}

// 5.5.2: pointers are in an area of their own, so that they can be found.
void VirtualMachine::forget_node(std::uint64_t task, Octets node) {
  Task* found = find_task(task);
  if (found == nullptr) return;
  const auto is_of_node = [&](const Address& address) {
    return !flaw_of(address.format()) && std::ranges::equal(address.node(), node);
  };
  std::vector<std::uint64_t> gone;
  for (const auto& [address, area] : found->memory.areas())
    if (area.kind == AreaKind::pointers)
      for (std::size_t i = 0; i + kAddressOctets <= area.octets.size(); i += kAddressOctets)
        if (is_of_node(*decode_address(Octets(area.octets).subspan(i)))) gone.push_back(address + i);
  for (const std::uint64_t address : gone) write_memory(task, address, OctetBuffer(kAddressOctets));
  std::vector<ThreadId> waiting;
  for (const auto& [id, thread] : threads_)
    if (thread.task == task && thread.awaited && is_of_node(thread.awaited->pointer)) waiting.push_back(id);
  for (const ThreadId id : waiting) {
    raise_from(threads_.at(id), {ReturnCode::exception, static_cast<std::uint16_t>(ReturnCode::bad_pointer)});
    end_thread(id);
  }
}

// -------------------------------------------------------------------------------------------------------- instructions

bool VirtualMachine::can_execute(const Instruction& instruction, const Circumstances& at) const {
  if (is_response(instruction.opcode())) return true;
  const Service* service = find_service(instruction.opcode());
  if (service == nullptr) return false;
  const auto request = read(instruction, at);
  return request && !(this->*service->check)(*request);
}

// A response is never answered (6).
Execution VirtualMachine::execute(const Instruction& instruction, const Circumstances& at, Instant now) {
  now_ = std::max(now_, now);
  if (is_response(instruction.opcode())) {
    on_response(instruction, at);
    return {};
  }
  const Service* service = find_service(instruction.opcode());
  if (service == nullptr) return refuse(instruction, {ReturnCode::unsupported});
  const auto request = read(instruction, at);
  if (!request) return refuse(instruction, request.error());
  if (const Check refusal = (this->*service->check)(*request)) return refuse(instruction, *refusal);
  return (this->*service->perform)(*request);
}

bool VirtualMachine::grants_buffer(std::uint32_t octets, const Circumstances& at) {
  return find_task(task_of(at)) != nullptr && octets <= options_.buffer_octets;
}

// ------------------------------------------------------------------------------------------------------------- answers

Execution VirtualMachine::answer(const Request& request, Draft response) {
  if (!request.instruction.header.ask) return {};
  response.req_id = request.instruction.header.req_id;
  return {.response = std::move(response)};
}

Execution VirtualMachine::refuse(const Instruction& instruction, Refusal refusal) const {
  Execution refused{.kind = Execution::Kind::refused};
  if (!instruction.header.ask) return refused;
  refused.response = negative(refusal);
  refused.response->req_id = instruction.header.req_id;
  return refused;
}

Draft VirtualMachine::negative(Refusal refusal) const {
  Draft draft = draft_of(Opcode::rsp);
  Writer(draft.operands).big_endian(static_cast<std::uint16_t>(refusal.basic)).big_endian(refusal.additional);
  if (!options_.messages) return draft;
  const std::string_view text = explain(refusal.basic);
  draft.extensions.push_back({HeadCode::msg, OctetBuffer(text.begin(), text.end())});
  return draft;
}

// 4.1: without operands both codes are 0.
Draft VirtualMachine::positive(std::uint16_t additional) {
  Draft draft = draft_of(Opcode::rsp);
  if (additional != 0) Writer(draft.operands).big_endian(std::uint16_t{0}).big_endian(additional);
  return draft;
}

// Data that do not fit into operands go into _DATA (6.1.2).
Draft VirtualMachine::data_draft(Opcode opcode, Octets data) {
  Draft draft = draft_of(opcode);
  OctetBuffer octets(data.begin(), data.end());
  if (octets.size() > kMostOperands)
    draft.extensions.push_back({HeadCode::data, std::move(octets)});
  else
    draft.operands = std::move(octets);
  return draft;
}

std::size_t VirtualMachine::octets_held(const Draft& draft) {
  std::size_t octets = draft.operands.size();
  for (const OwnedExtension& one : draft.extensions) octets += one.data.size();
  return octets;
}

bool VirtualMachine::fetch(std::deque<FromVm>& queue, FromVm& out) {
  if (queue.empty()) return false;
  out = std::move(queue.front());
  queue.pop_front();
  queued_ -= octets_held(out.instruction);
  return true;
}

bool VirtualMachine::can_queue(std::size_t octets) const {
  return octets <= options_.queued_octets - std::min(queued_, options_.queued_octets);
}

void VirtualMachine::queue_response(std::uint32_t session, Draft response) {
  queued_ += octets_held(response);
  responses_.push_back({session, std::move(response)});
}

bool VirtualMachine::next_response(FromVm& out) {
  return fetch(responses_, out);
}

bool VirtualMachine::next_request(FromVm& out) {
  return fetch(requests_, out);
}

// -------------------------------------------------------------------------------------------------------------- quotas

VirtualMachine::Check VirtualMachine::check_room(std::uint64_t task, std::size_t octets) const {
  const std::size_t of_task = find_task(task)->allocated;
  const bool room = octets <= options_.task_octets - std::min(of_task, options_.task_octets) &&
                    octets <= options_.all_octets - std::min(allocated_, options_.all_octets);
  return room ? std::nullopt : Check(Refusal{ReturnCode::no_memory});
}

VirtualMachine::Check VirtualMachine::check_memory(std::uint64_t task, std::size_t octets) const {
  if (const Check refusal = check_room(task, octets)) return refusal;
  const Task& found = *find_task(task);
  if (found.areas >= options_.allocations) return Refusal{ReturnCode::no_memory};
  const bool fits = found.memory.find_room(options_.heap_address, octets).has_value();
  return fits ? std::nullopt : Check(Refusal{ReturnCode::no_memory});
}

// This was checked before: there is room.
std::uint64_t VirtualMachine::allocate(std::uint64_t task, AreaKind kind, OctetBuffer octets) {
  Task& found = *find_task(task);
  const std::uint64_t address = *found.memory.find_room(options_.heap_address, octets.size());
  charge(task, octets.size());
  ++found.areas;
  found.memory.add(address, kind, std::move(octets));
  return address;
}

void VirtualMachine::release_area(std::uint64_t task, std::uint64_t address) {
  Task& found = *find_task(task);
  const Area* area = found.memory.find(address);
  if (area == nullptr) return;
  unwatch(task, *area, address);
  discharge(task, area->octets.size());
  --found.areas;
  found.memory.remove(address);
}

void VirtualMachine::charge(std::uint64_t task, std::size_t octets) {
  find_task(task)->allocated += octets;
  allocated_ += octets;
}

void VirtualMachine::discharge(std::uint64_t task, std::size_t octets) {
  find_task(task)->allocated -= octets;
  allocated_ -= octets;
}

}  // namespace wirelaw::umsp
