// SPDX-License-Identifier: Apache-2.0
// A virtual machine that commits deviations: it overrides each step that a deviation changes.
#include <algorithm>
#include <utility>
#include <vector>

#include "reference/umsp/make_parts.h"
#include "reference/umsp/vm/faults/vm_edit.h"

namespace wirelaw::umsp {
namespace {

using enum VmDeviation;
using enum Opcode;

constexpr Instant kSynPatience = std::chrono::milliseconds(100);  // times_out_syn

bool is_between(const Instruction& instruction, Opcode first, Opcode last) {
  return instruction.opcode() >= static_cast<std::uint8_t>(first) &&
         instruction.opcode() <= static_cast<std::uint8_t>(last);
}

struct Padded {
  VmDeviation deviation;
  Opcode opcode;
};
constexpr Padded kPadded[] = {{write_padding, write_ext},
                              {cmp_padding, cmp_ext},
                              {obj_write_padding, obj_write_ext},
                              {obj_cmp_padding, obj_data_cmp_ext}};

OctetBuffer turned_round(Octets octets) {
  OctetBuffer out(octets.begin(), octets.end());
  for (std::size_t i = 0; i + 4 <= out.size(); i += 4) std::reverse(out.data() + i, out.data() + i + 4);
  return out;
}

constexpr std::uint32_t kFirstUserObject = 0x2000'0100;

class FaultyVm final : public VirtualMachine {
 public:
  FaultyVm(VmOptions options, const VmDeviations& deviations)
      : VirtualMachine(std::move(options)), deviations_(deviations) {
    if (deviates(thread_waits_for_ever)) options_.patience = std::chrono::hours(24 * 365);
    if (!deviates(user_objects_named)) return;
    for (const Object& one : options_.objects)
      if (Object* mine = objects_.find(one.number); mine->name.empty())
        mine->name = "object " + std::to_string(one.number);
  }

 private:
  struct Patience {
    std::uint32_t session = 0;
    std::uint32_t req_id = 0;
    Instant until{};
  };

  // --- executing
  Execution execute(const Instruction& instruction, const Circumstances& at, Instant now) override {
    const bool asks = instruction.header.ask;
    const bool is_late = asks && latest_req_id_ && instruction.header.req_id <= *latest_req_id_;
    if (asks) latest_req_id_ = instruction.header.req_id;
    if (is_late && deviates(req_id_checked)) return refuse(instruction, {ReturnCode::malformed});
    Execution done = execute_without_session(instruction, at, now);
    falsify(done, instruction, at);
    if (done.kind == Execution::Kind::under_way) watch_time(instruction, at);
    return done;
  }

  void on_response(const Instruction& response, const Circumstances& at) override {
    if (response.header.ask && deviates(answers_responses) && can_queue(0) && responses_.size() < options_.pending) {
      Draft draft = positive();
      draft.req_id = response.header.req_id;
      queue_response(at.session, std::move(draft));
    }
    VirtualMachine::on_response(response, at);
  }

  // Within the quotas, whatever else.
  Execution execute_without_session(const Instruction& instruction, const Circumstances& at, Instant now) {
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

  // Gives the response the first fault that it can have.
  void falsify(Execution& done, const Instruction& instruction, const Circumstances& at) const {
    if (!done.response) return;
    const bool refused = done.kind == Execution::Kind::refused;
    Response response{std::move(done), static_cast<Opcode>(instruction.opcode()), refused, at.task != 0};
    for (std::size_t i = 0; i < kVmDeviationCount; ++i) {
      const VmEdit& one = vm_edits()[i];
      if (one.edit == nullptr || !deviates(static_cast<VmDeviation>(i)) || !one.where(response)) continue;
      one.edit(response);
      break;
    }
    done = std::move(response.execution);
  }

  Execution answer(const Request& request, Draft response) override {
    if (request.is(mem_alloc) && deviates(allocates_nothing)) release_area(request.task, number_of(response.operands));
    return VirtualMachine::answer(request, std::move(response));
  }

  // --- time
  void watch_time(const Instruction& instruction, const Circumstances& at) {
    if (!deviates(times_out_syn) || !is_between(instruction, syn_4, syn_16)) return;
    std::erase_if(patiences_, [&](const Patience& one) {
      return std::ranges::none_of(
          watches_, [&](const Watch& watch) { return watch.session == one.session && watch.req_id == one.req_id; });
    });
    patiences_.push_back({at.session, instruction.header.req_id, now_ + kSynPatience});
  }

  void advance(Instant now) override {
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

  std::optional<Instant> deadline() const override {
    auto first = VirtualMachine::deadline();
    for (const Patience& one : patiences_) first = std::min(first.value_or(one.until), one.until);
    return first;
  }

  // --- ends
  void forget_node(std::uint64_t task, Octets node) override {
    if (!deviates(pointers_kept)) VirtualMachine::forget_node(task, node);
  }
  void delete_objects_of(std::uint64_t task) override {
    if (!deviates(task_end_keeps_objects)) VirtualMachine::delete_objects_of(task);
  }

  // The task and its contents stay, and are found again when a task with the same number begins.
  void release_task(std::uint64_t task) override {
    if (!deviates(task_end_keeps_memory) && !deviates(task_end_keeps_objects))
      return VirtualMachine::release_task(task);
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

  bool refuses(const Request& request) const {
    const TaskMemory& memory = find_task(request.task)->memory;
    for (std::size_t i = 0; i < kVmDeviationCount; ++i) {
      const VmEdit& one = vm_edits()[i];
      if (one.refuses != nullptr && deviates(static_cast<VmDeviation>(i)) && one.refuses(request, memory)) return true;
    }
    return false;
  }

  VirtualMachine::Either<Request> read(const Instruction& instruction, const Circumstances& at) const override {
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

  OperandView place(const Instruction& instruction) const override {
    constexpr std::size_t kLengthAndFour = 8;
    const bool longer =
        instruction.opcode() == static_cast<std::uint8_t>(req_data_4) && instruction.operands.size() > kLengthAndFour;
    if (!longer || !deviates(opr_length_ignored)) return VirtualMachine::place(instruction);
    Instruction shorter = instruction;
    shorter.operands = instruction.operands.first(kLengthAndFour);
    return VirtualMachine::place(shorter);
  }

  std::uint64_t task_of(const Circumstances& at) const override {
    const auto first = tasks_.upper_bound(0);
    return deviates(other_jobs_memory) && at.task != 0 && first != tasks_.end() ? first->first : at.task;
  }

  VirtualMachine::Either<std::uint64_t> local_address(Octets field, const Circumstances& at) const override {
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

  VirtualMachine::Either<std::uint64_t> short_address(std::uint64_t given, const Circumstances& at) const override {
    if (deviates(base_ignored) && at.base) return given;
    if (deviates(short_without_base) && !at.base) return given;
    return VirtualMachine::short_address(given, at);
  }

  VirtualMachine::Either<std::uint64_t> object_offset(Octets field) const override {
    constexpr std::uint64_t kMore = 4;
    const auto offset = VirtualMachine::object_offset(field);
    return deviates(offset_from_four) && offset && *offset < ~kMore ? Either<std::uint64_t>(*offset + kMore) : offset;
  }

  bool runs(std::uint16_t type, std::uint16_t version) const override {
    if (deviates(code_of_any_vm) || (deviates(new_of_any_vm) && reads_new_)) return true;
    if (deviates(smaller_versions_refused) && version != options_.vm_version) return false;
    return VirtualMachine::runs(type, version);
  }

  VirtualMachine::Either<WordOrder> format_of(std::uint16_t type, std::uint16_t version) const override {
    return deviates(sender_vm_ignored) ? WordOrder::most_first : VirtualMachine::format_of(type, version);
  }

  Octets data_of(const Request& request) const override {
    for (const Padded& one : kPadded) {
      const Located* located = request.view.find(Operand::data);
      if (!deviates(one.deviation) || !request.is(one.opcode) || located == nullptr) continue;
      return request.instruction.operands.subspan(located->offset, (located->length + 3) / 4 * 4);
    }
    return VirtualMachine::data_of(request);
  }

  bool write_memory(std::uint64_t task, std::uint64_t address, Octets octets) override {
    const OctetBuffer converted = deviates(words_converted) ? turned_round(octets) : OctetBuffer();
    const Octets written = deviates(words_converted) ? Octets(converted) : octets;
    if (deviates(one_memory_for_all))
      for (const auto& [other, all] : tasks_)
        if (other != task) VirtualMachine::write_memory(other, address, written);
    return VirtualMachine::write_memory(task, address, written);
  }

  void free_memory(std::uint64_t task, std::uint64_t address) override {
    if (!deviates(free_ignored)) VirtualMachine::free_memory(task, address);
  }

  bool has_changed(const Watch& watch, Octets now) const override {
    if (deviates(syn_reports_unchanged)) return true;
    if (deviates(syn_never_reports)) return false;
    if (!deviates(syn_mask_inverted) && !deviates(syn_mask_ignored)) return VirtualMachine::has_changed(watch, now);
    Watch other = watch;
    for (Octet& one : other.mask) one = deviates(syn_mask_ignored) ? Octet{0xff} : static_cast<Octet>(~one);
    return VirtualMachine::has_changed(other, now);
  }

  void report(const Watch& watch, Octets now) override {
    VirtualMachine::report(watch, deviates(syn_reports_old_data) ? Octets(watch.initial) : now);
  }

  // While the caller fetches reports.
  bool stays_watched(const Watch&) const override {
    return deviates(syn_reports_again) && responses_.size() < options_.pending;
  }

  void return_from(const Thread& thread, Octets data) override {
    if (deviates(return_in_own_format) && thread.order == WordOrder::least_first)
      return VirtualMachine::return_from(thread, turned_round(data));
    VirtualMachine::return_from(thread, data);
  }

  void raise_from(const Thread& thread, Refusal exception) override {
    if (deviates(exception_returns)) return VirtualMachine::return_from(thread, {});
    if (!deviates(exception_silent)) VirtualMachine::raise_from(thread, exception);
  }
  void release_thread(const Thread& thread) override {
    if (!deviates(run_code_kept)) VirtualMachine::release_thread(thread);
  }
  void send_request(const Thread& thread, Draft request) override {
    if (deviates(repeats_requests)) VirtualMachine::send_request(thread, request);
    VirtualMachine::send_request(thread, std::move(request));
  }

  VirtualMachine::Either<std::uint64_t> take_response(const Thread& thread, const Instruction& response) override {
    const Awaited& awaited = *thread.awaited;
    const std::uint64_t octets = response.operands.size();
    const std::uint64_t words = (awaited.octets + 3) / 4;
    const bool wrong =
        (awaited.operation == Operation::read && deviates(data_length_checked) && octets != words * 4) ||
        (awaited.operation == Operation::call && deviates(return_length_checked) && octets > words * 4) ||
        (awaited.operation == Operation::call && deviates(return_data_demanded) && octets == 0);
    if (wrong) return tl::unexpected(Refusal{ReturnCode::exception, static_cast<std::uint16_t>(ReturnCode::remote)});
    if (awaited.operation == Operation::compare && octets == 0 && deviates(cmp_empty_is_less)) return ~std::uint64_t{0};
    return VirtualMachine::take_response(thread, response);
  }

  const Object* find_object(std::uint32_t number) const override {
    const Object* nearest = nullptr;
    if (!deviates(number_nearest)) return VirtualMachine::find_object(number);
    for (const auto& [other, object] : objects_)
      if (other <= number) nearest = &object;
    return nearest;
  }

  bool is_visible(const Object& object, std::uint64_t task) const override {
    const ObjectRange range = range_of(object.number);
    if (deviates(common_objects_hidden) && task == 0) return false;
    if (deviates(transient_objects_shared) && range == ObjectRange::transient && task != 0) return true;
    if (deviates(transient_objects_without_session) && range == ObjectRange::transient && task == 0) return true;
    if (deviates(sys_new_of_one_job) && range == ObjectRange::free && object.maker) return object.maker == task;
    return VirtualMachine::is_visible(object, task);
  }

  const Procedure* find_procedure(const Request& request) const override {
    const Procedure* found = VirtualMachine::find_procedure(request);
    if (found != nullptr || !deviates(user_procedures_named) || request.name.empty()) return found;
    const auto& all = request.object->procedures;
    const auto named = std::ranges::find(all, request.name, &Procedure::name);
    return named == all.end() ? nullptr : &*named;
  }

  const Object* seek(const Request& request) const override {
    const Object* found = VirtualMachine::seek(request);
    if (deviates(seek_without_session_in_jobs) && request.task == 0)
      for (const auto& [number, object] : objects_)
        if (!request.name.empty() && object.name == request.name) return &object;
    if (found != nullptr && deviates(name_leads_elsewhere))
      for (const auto& [number, object] : objects_)
        if (&object != found && VirtualMachine::is_visible(object, request.task)) return &object;
    return found;
  }

  bool takes_name(const Request& request) const override {
    if (deviates(name_twice)) return true;
    if (!deviates(name_of_jobs_shared) || !request.is(Opcode::sys_new)) return VirtualMachine::takes_name(request);
    return std::ranges::none_of(objects_, [&](const auto& entry) {
      return entry.second.name == request.name && (!entry.second.maker || entry.second.maker == request.task);
    });
  }

  bool may_delete(const Object& object, std::uint64_t task) const override {
    return deviates(deletes_of_others) ? object.maker.has_value() : VirtualMachine::may_delete(object, task);
  }
  bool can_number(std::size_t octets) const override {
    return deviates(object_beyond_addresses) || VirtualMachine::can_number(octets);
  }

  Object make_object(const Request& request) const override {
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

  bool deviates(VmDeviation deviation) const { return deviations_.has(deviation); }
  VmDeviations deviations_;
  std::optional<std::uint32_t> latest_req_id_;  // req_id_checked
  std::vector<Patience> patiences_;             // times_out_syn
  mutable bool reads_new_ = false;              // new_of_any_vm: the current instruction makes an object
};

}  // namespace

std::unique_ptr<VirtualMachine> make_vm(VmOptions options, const VmDeviations& deviations) {
  if (deviations.empty()) return std::make_unique<VirtualMachine>(std::move(options));
  return make_faulty_vm(std::move(options), deviations);
}

std::unique_ptr<VirtualMachine> make_faulty_vm(VmOptions options, const VmDeviations& deviations) {
  return std::make_unique<FaultyVm>(std::move(options), deviations);
}

}  // namespace wirelaw::umsp
