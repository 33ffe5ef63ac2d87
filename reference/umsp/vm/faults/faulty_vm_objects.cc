// SPDX-License-Identifier: Apache-2.0
// Deviations in the existence, visibility and names of objects.
#include <algorithm>

#include "reference/umsp/vm/faults/faulty_vm.h"

namespace wirelaw::umsp {
namespace {

using enum VmDeviation;

constexpr std::uint32_t kFirstUserObject = 0x2000'0100;

}  // namespace

const Object* FaultyVm::find_object(std::uint32_t number) const {
  const Object* nearest = nullptr;
  if (!deviates(number_nearest)) return VirtualMachine::find_object(number);
  for (const auto& [other, object] : objects_)
    if (other <= number) nearest = &object;
  return nearest;
}

bool FaultyVm::is_visible(const Object& object, std::uint64_t task) const {
  const ObjectRange range = range_of(object.number);
  if (deviates(common_objects_hidden) && task == 0) return false;
  if (deviates(transient_objects_shared) && range == ObjectRange::transient && task != 0) return true;
  if (deviates(transient_objects_without_session) && range == ObjectRange::transient && task == 0) return true;
  if (deviates(sys_new_of_one_job) && range == ObjectRange::free && object.maker) return object.maker == task;
  return VirtualMachine::is_visible(object, task);
}

const Procedure* FaultyVm::find_procedure(const Request& request) const {
  const Procedure* found = VirtualMachine::find_procedure(request);
  if (found != nullptr || !deviates(user_procedures_named) || request.name.empty()) return found;
  const auto& all = request.object->procedures;
  const auto named = std::ranges::find(all, request.name, &Procedure::name);
  return named == all.end() ? nullptr : &*named;
}

const Object* FaultyVm::seek(const Request& request) const {
  const Object* found = VirtualMachine::seek(request);
  if (deviates(seek_without_session_in_jobs) && request.task == 0)
    for (const auto& [number, object] : objects_)
      if (!request.name.empty() && object.name == request.name) return &object;
  if (found != nullptr && deviates(name_leads_elsewhere))
    for (const auto& [number, object] : objects_)
      if (&object != found && VirtualMachine::is_visible(object, request.task)) return &object;
  return found;
}

bool FaultyVm::takes_name(const Request& request) const {
  if (deviates(name_twice)) return true;
  if (!deviates(name_of_jobs_shared) || !request.is(Opcode::sys_new)) return VirtualMachine::takes_name(request);
  return std::ranges::none_of(objects_, [&](const auto& entry) {
    return entry.second.name == request.name && (!entry.second.maker || entry.second.maker == request.task);
  });
}

bool FaultyVm::may_delete(const Object& object, std::uint64_t task) const {
  return deviates(deletes_of_others) ? object.maker.has_value() : VirtualMachine::may_delete(object, task);
}

bool FaultyVm::can_number(std::size_t octets) const {
  return deviates(object_beyond_addresses) || VirtualMachine::can_number(octets);
}

Object FaultyVm::make_object(const Request& request) const {
  Object made = VirtualMachine::make_object(request);
  if (deviates(user_objects_made))
    for (made.number = kFirstUserObject; objects_.find(made.number) != nullptr;) ++made.number;
  if (deviates(number_twice))
    for (const auto& [number, object] : objects_)
      if (object.maker == request.task && range_of(number) == range_of(made.number)) made.number = number;
  if (deviates(new_version_filled) && made.versions.empty()) made.versions.push_back({1, 1});
  if (deviates(new_name_lost)) made.name.clear();
  return made;
}

}  // namespace wirelaw::umsp
