// SPDX-License-Identifier: Apache-2.0
// RFC 3018 6.6: objects are read, written, compared, made, deleted and found. Their procedures are called in
// control_instructions.cc.
#include <algorithm>
#include <utility>

#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {
namespace {

bool is_inside(const Object& object, std::uint64_t offset, std::uint64_t octets) {
  return offset <= object.data.size() && octets <= object.data.size() - offset;
}

Octets part(Octets data, std::uint64_t offset, std::uint64_t octets) {
  return data.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(octets));
}

}  // namespace

// --------------------------------------------------------------------------------------------------- data of an object

// One segment that begins at offset 0 (6.6).
VirtualMachine::Check VirtualMachine::check_obj_range(const Request& request) const {
  const std::uint64_t octets = request.data.empty() ? request.length : request.data.size();
  if (!is_inside(*request.object, request.offset, octets)) return Refusal{ReturnCode::bad_address};
  return std::nullopt;
}

Execution VirtualMachine::perform_obj_req_data(const Request& request) {
  return answer(request, data_draft(Opcode::data, part(object_data(*request.object), request.offset, request.length)));
}

Execution VirtualMachine::perform_obj_write(const Request& request) {
  write_object(*objects_.find(request.object->number), request.offset, request.data);
  return answer(request, positive());
}

void VirtualMachine::write_object(Object& object, std::uint64_t offset, Octets octets) {
  std::ranges::copy(octets, object.data.begin() + static_cast<std::ptrdiff_t>(offset));
}

Execution VirtualMachine::perform_obj_cmp(const Request& request) {
  constexpr std::uint16_t kLess = 0xffff, kMore = 1;
  const int outcome = compare(part(object_data(*request.object), request.offset, request.data.size()), request.data);
  return answer(request, positive(outcome < 0 ? kLess : outcome > 0 ? kMore : 0));
}

// ---------------------------------------------------------------------------------------------------------- procedures

VirtualMachine::Check VirtualMachine::check_get_num_proc(const Request& request) const {
  if (find_procedure(request) == nullptr) return Refusal{ReturnCode::no_procedure};
  return std::nullopt;
}

Execution VirtualMachine::perform_get_num_proc(const Request& request) {
  Draft draft = object_draft(*request.object);
  draft.opcode = static_cast<std::uint8_t>(Opcode::proc_num);
  Writer(draft.operands).big_endian(find_procedure(request)->number);
  return answer(request, std::move(draft));
}

// --------------------------------------------------------------------------------------------------- making, deleting

// 5.8, 6.6.4.1: not without a session. The data are those of the object at first.
VirtualMachine::Check VirtualMachine::check_new(const Request& request) const {
  if (request.task == 0) return Refusal{ReturnCode::zero_session};
  const Object object = make_object(request);
  const bool named = request.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::name)) != nullptr;
  if (named && !is_object_name(request.name)) return Refusal{ReturnCode::no_name};
  if (named && !takes_name(request)) return Refusal{ReturnCode::name_taken};
  if (!objects_.next_number(range_of(object.number))) return Refusal{ReturnCode::no_memory};
  const Task& task = *find_task(request.task);
  if (task.objects >= options_.objects_made) return Refusal{ReturnCode::no_memory};
  if (!can_number(object.data.size())) return Refusal{ReturnCode::no_memory};
  return check_room(request.task, object.data.size());
}

bool VirtualMachine::takes_name(const Request& request) const {
  return objects_.is_free(request.name, request.is(Opcode::create) ? ObjectRange::transient : ObjectRange::free,
                          request.task);
}

Object VirtualMachine::make_object(const Request& request) const {
  const ObjectRange range = request.is(Opcode::create) ? ObjectRange::transient : ObjectRange::free;
  Object object{.number = objects_.next_number(range).value_or(0),
                .name = request.name,
                .data = OctetBuffer(request.data.begin(), request.data.end()),
                .procedures = options_.procedures,
                .maker = request.task};
  if (request.version.version != 0) object.versions.push_back(request.version);
  return object;
}

Execution VirtualMachine::perform_new(const Request& request) {
  Object object = make_object(request);
  charge(request.task, object.data.size());
  ++find_task(request.task)->objects;
  Draft draft = object_draft(object);
  objects_.add(std::move(object));
  return answer(request, std::move(draft));
}

VirtualMachine::Check VirtualMachine::check_delete(const Request& request) const {
  if (!may_delete(*request.object, request.task)) return Refusal{ReturnCode::not_owner};
  return std::nullopt;
}

Execution VirtualMachine::perform_delete(const Request& request) {
  const Object& object = *request.object;
  if (Task* maker = object.maker ? find_task(*object.maker) : nullptr) {
    discharge(*object.maker, object.data.size());
    --maker->objects;
  }
  objects_.remove(object.number);
  return answer(request, positive());
}

void VirtualMachine::delete_objects_of(std::uint64_t task) {
  std::vector<std::uint32_t> numbers;
  for (const auto& [number, object] : objects_)
    if (object.maker == task) numbers.push_back(number);
  for (const std::uint32_t number : numbers) objects_.remove(number);
}

// ------------------------------------------------------------------------------------------------------------- finding

VirtualMachine::Check VirtualMachine::check_obj_seek(const Request& request) const {
  if (seek(request) == nullptr) return Refusal{ReturnCode::no_object};
  return std::nullopt;
}

Execution VirtualMachine::perform_obj_seek(const Request& request) {
  return answer(request, object_draft(*seek(request)));
}

// OBJECT would have a name here (6.6.5.2).
VirtualMachine::Check VirtualMachine::check_obj_get_name(const Request& request) const {
  if (request.object->name.empty()) return Refusal{ReturnCode::no_name};
  return std::nullopt;
}

Execution VirtualMachine::perform_obj_get_name(const Request& request) {
  Draft draft = object_draft(*request.object);
  const std::string& name = request.object->name;
  draft.extensions.push_back({HeadCode::name, OctetBuffer(name.begin(), name.end())});
  return answer(request, std::move(draft));
}

Draft VirtualMachine::object_draft(const Object& object) {
  Draft draft = draft_of(Opcode::object);
  const ObjectVersion version = object.version();
  Writer(draft.operands).big_endian(object.number).big_endian(version.version).big_endian(version.realization);
  return draft;
}

}  // namespace wirelaw::umsp
