// SPDX-License-Identifier: Apache-2.0
// Deviations in the choice of executed instructions, in responses, and at the end of a task.
#include "reference/umsp/vm/faults/faulty_vm.h"

#include <algorithm>
#include <utility>

#include "reference/umsp/vm/faults/make_vm.h"

namespace wirelaw::umsp {
namespace {

using enum VmDeviation;
using enum Opcode;

constexpr std::uint16_t kSaidLess = 0xffff, kSaidMore = 1;
constexpr Instant kSynPatience = std::chrono::milliseconds(100);  // times_out_syn

// The false values that replace the true ones.
enum class Lie : std::uint8_t { positive, negative, zeros, returned, object, nothing };

// A response is falsified if an instruction with one of these codes was executed, or refused.
struct Falsehood {
  VmDeviation deviation;
  Opcode first, last;
  bool refused;
  Lie lie;
};
constexpr Falsehood kFalsehoods[] = {
    {req_data_refused_as_data, req_data_2, req_data_4, true, Lie::zeros},
    {write_done_negative, write_2, write_16, false, Lie::negative},
    {write_refused_positive, write_2, write_16, true, Lie::positive},
    {write_ext_done_negative, write_ext, write_ext, false, Lie::negative},
    {write_ext_refused_positive, write_ext, write_ext, true, Lie::positive},
    {cmp_refused_positive, cmp_2, cmp_ext, true, Lie::positive},
    {jump_bad_address_taken, jump, jump_vm, true, Lie::positive},
    {jump_bad_address_taken, call, call_vm, true, Lie::returned},
    {jump_refused, jump, jump_vm, false, Lie::negative},
    {syn_bad_address_silent, syn_4, syn_16, true, Lie::nothing},
    {obj_req_data_refused_as_data, obj_req_data_2, obj_req_data_4, true, Lie::zeros},
    {obj_write_done_negative, obj_write_2, obj_write_8, false, Lie::negative},
    {obj_write_refused_positive, obj_write_2, obj_write_8, true, Lie::positive},
    {obj_write_ext_done_negative, obj_write_ext, obj_write_ext, false, Lie::negative},
    {obj_write_ext_refused_positive, obj_write_ext, obj_write_ext, true, Lie::positive},
    {obj_cmp_refused_positive, obj_data_cmp_2, obj_data_cmp_ext, true, Lie::positive},
    {call_bnum_missing_returns, call_bnum, call_bnum_vm, true, Lie::returned},
    {call_bname_missing_returns, call_bname, call_bname_vm, true, Lie::returned},
    {new_refused_positive, create, sys_new, true, Lie::object},
    {seek_missing_found, obj_seek, obj_seek, true, Lie::object},
    {get_name_missing_found, obj_get_name, obj_get_name, true, Lie::object},
};

bool is_between(const Instruction& instruction, Opcode first, Opcode last) {
  return instruction.opcode() >= static_cast<std::uint8_t>(first) &&
         instruction.opcode() <= static_cast<std::uint8_t>(last);
}

std::optional<Draft> draft_of(Lie lie) {
  constexpr std::uint32_t kMadeUp = 0x5000'00ff;
  OctetBuffer operands;
  Writer out(operands);
  switch (lie) {
    case Lie::positive:
      return umsp::draft_of(rsp);
    case Lie::negative:
      out.big_endian(static_cast<std::uint16_t>(ReturnCode::unsupported)).big_endian(std::uint16_t{0});
      return umsp::draft_of(rsp, operands);
    case Lie::zeros:
      return umsp::draft_of(data, OctetBuffer(4));
    case Lie::returned:
      return umsp::draft_of(return_control);
    case Lie::object:
      out.big_endian(kMadeUp).big_endian(std::uint32_t{0});
      return umsp::draft_of(object, operands);
    case Lie::nothing:
      break;
  }
  return std::nullopt;
}

void add_to_address(Draft& draft, std::uint64_t more) {
  const std::uint64_t address = number_of(draft.operands) + more;
  const std::size_t octets = draft.operands.size();
  for (std::size_t i = 0; i < octets; ++i) draft.operands[octets - 1 - i] = static_cast<Octet>(address >> i * 8);
}

}  // namespace

FaultyVm::FaultyVm(VmOptions options, const VmDeviations& deviations)
    : VirtualMachine(std::move(options)), deviations_(deviations) {
  if (deviates(thread_waits_for_ever)) options_.patience = std::chrono::hours(24 * 365);
  if (!deviates(user_objects_named)) return;
  for (const Object& one : options_.objects)
    if (Object* mine = objects_.find(one.number); mine->name.empty())
      mine->name = "object " + std::to_string(one.number);
}

// ----------------------------------------------------------------------------------------------------------  executing

Execution FaultyVm::execute(const Instruction& instruction, const Circumstances& at, Instant now) {
  const bool asks = instruction.header.ask;
  const bool is_late = asks && latest_req_id_ && instruction.header.req_id <= *latest_req_id_;
  if (asks) latest_req_id_ = instruction.header.req_id;
  if (is_late && deviates(req_id_checked)) return refuse(instruction, {ReturnCode::malformed});
  Execution done = execute_without_session(instruction, at, now);
  falsify(done, instruction, at);
  if (done.kind == Execution::Kind::under_way) watch_time(instruction, at);
  return done;
}

void FaultyVm::on_response(const Instruction& response, const Circumstances& at) {
  if (response.header.ask && deviates(answers_responses) && can_queue(0) && responses_.size() < options_.pending) {
    Draft draft = positive();
    draft.req_id = response.header.req_id;
    queue_response(at.session, std::move(draft));
  }
  VirtualMachine::on_response(response, at);
}

// Within the quotas, whatever else.
Execution FaultyVm::execute_without_session(const Instruction& instruction, const Circumstances& at, Instant now) {
  const bool makes = is_between(instruction, create, sys_new) && deviates(new_without_session);
  const bool allocates = is_between(instruction, mem_alloc, mem_alloc) && deviates(allocates_without_session);
  const auto request = (makes || allocates) && at.task == 0
                           ? read(instruction, at)
                           : Either<Request>(tl::unexpected(Refusal{ReturnCode::done}));
  if (!request) return VirtualMachine::execute(instruction, at, now);
  const bool room = makes ? !check_room(0, request->data.size()) && find_task(0)->objects < options_.objects_made
                          : request->length != 0 && !check_memory(0, static_cast<std::size_t>(request->length));
  if (!room) return refuse(instruction, {ReturnCode::no_memory});
  return makes ? perform_new(*request) : perform_mem_alloc(*request);
}

void FaultyVm::falsify(Execution& done, const Instruction& instruction, const Circumstances& at) const {
  if (!done.response) return;
  const bool refused = done.kind == Execution::Kind::refused;
  for (const Falsehood& one : kFalsehoods) {
    if (one.refused != refused || !deviates(one.deviation) || !is_between(instruction, one.first, one.last)) continue;
    done.response = draft_of(one.lie);
    if (!done.response) done = {};
    if (done.response) done.response->req_id = instruction.header.req_id;
    return;
  }
  if (at.task != 0 || !is_between(instruction, obj_seek, obj_seek)) return;
  if (deviates(seek_other_req_id)) ++*done.response->req_id;
  if (deviates(seek_without_session_ignored)) done.response.reset();
}

Execution FaultyVm::answer(const Request& request, Draft response) {
  if (request.is(mem_alloc)) {
    if (deviates(address_behind)) add_to_address(response, 4);
    if (deviates(allocates_nothing)) release_area(request.task, number_of(response.operands));
  }
  if (!request.is(cmp_2, cmp_ext) && !request.is(obj_data_cmp_2, obj_data_cmp_ext))
    return VirtualMachine::answer(request, std::move(response));
  const auto outcome = static_cast<std::uint16_t>(number_of(response.operands));
  if (outcome == 0 && deviates(cmp_equal_is_more)) response = positive(kSaidMore);
  if (outcome == kSaidLess && deviates(cmp_less_is_more)) response = positive(kSaidMore);
  if (outcome == kSaidMore && deviates(cmp_more_is_less)) response = positive(kSaidLess);
  if (outcome != 0 && deviates(cmp_unequal_negative)) response = negative({ReturnCode::exception, outcome});
  return VirtualMachine::answer(request, std::move(response));
}

// ---------------------------------------------------------------------------------------------------------------- time

void FaultyVm::watch_time(const Instruction& instruction, const Circumstances& at) {
  if (!deviates(times_out_syn) || !is_between(instruction, syn_4, syn_16)) return;
  std::erase_if(patiences_, [&](const Patience& one) {
    return std::ranges::none_of(
        watches_, [&](const Watch& watch) { return watch.session == one.session && watch.req_id == one.req_id; });
  });
  patiences_.push_back({at.session, instruction.header.req_id, now_ + kSynPatience});
}

void FaultyVm::advance(Instant now) {
  VirtualMachine::advance(now);
  for (const Patience& one : patiences_) {
    const auto found = std::ranges::find_if(watches_, [&](const Watch& watch) {
      return one.until <= now_ && watch.session == one.session && watch.req_id == one.req_id;
    });
    if (found == watches_.end()) continue;
    Draft response = negative({ReturnCode::no_answer});
    response.req_id = one.req_id;
    queue_response(one.session, std::move(response));
    discharge(found->task, 2 * found->initial.size());
    watches_.erase(found);
  }
  std::erase_if(patiences_, [&](const Patience& one) { return one.until <= now_; });
}

std::optional<Instant> FaultyVm::deadline() const {
  auto first = VirtualMachine::deadline();
  for (const Patience& one : patiences_) first = std::min(first.value_or(one.until), one.until);
  return first;
}

// ---------------------------------------------------------------------------------------------------------------- ends

void FaultyVm::forget_node(std::uint64_t task, Octets node) {
  if (!deviates(pointers_kept)) VirtualMachine::forget_node(task, node);
}

void FaultyVm::delete_objects_of(std::uint64_t task) {
  if (!deviates(task_end_keeps_objects)) VirtualMachine::delete_objects_of(task);
}

// The task and its contents stay, and are found again when a task with the same number begins.
void FaultyVm::release_task(std::uint64_t task) {
  if (!deviates(task_end_keeps_memory) && !deviates(task_end_keeps_objects)) return VirtualMachine::release_task(task);
  std::erase_if(threads_, [&](const auto& entry) { return entry.second.task == task; });
  std::erase_if(watches_, [&](const Watch& watch) { return watch.task == task; });
  delete_objects_of(task);
  Task& kept = *find_task(task);
  if (!deviates(task_end_keeps_objects)) kept.objects = 0;
  if (deviates(task_end_keeps_memory)) return;
  kept.memory = TaskMemory(options_.format.memory_octets());
  kept.areas = 0;
  furnish(kept.memory);
  std::size_t of_objects = 0;
  for (const auto& [number, object] : objects_)
    if (object.maker == task) of_objects += object.data.size();
  discharge(task, kept.allocated - of_objects);
}

std::unique_ptr<VirtualMachine> make_vm(VmOptions options, const VmDeviations& deviations) {
  if (deviations.empty()) return std::make_unique<VirtualMachine>(std::move(options));
  return std::make_unique<FaultyVm>(std::move(options), deviations);
}

}  // namespace wirelaw::umsp
