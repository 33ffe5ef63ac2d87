// SPDX-License-Identifier: Apache-2.0
// Threads run operation by operation, in turns, and wait for responses of other nodes.
#include <algorithm>
#include <utility>

#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint8_t kLastRegister = kRegisters - 1;
constexpr std::size_t kMostOperands = 262140;  // octets (3.3)
constexpr std::size_t kMostCounted = kMostOperands - 4 - kAddressOctets;

tl::unexpected<Refusal> exception(ReturnCode cause) {
  return tl::unexpected(Refusal{ReturnCode::exception, static_cast<std::uint16_t>(cause)});
}
constexpr auto kBadMemory = ReturnCode::bad_address;

std::uint64_t number_in(Octets octets, WordOrder order) {
  OctetBuffer copy(octets.begin(), octets.end());
  if (order == WordOrder::least_first) std::ranges::reverse(copy);
  return number_of(copy);
}

OctetBuffer octets_in(std::uint64_t number, std::size_t octets, WordOrder order) {
  OctetBuffer out(octets);
  for (std::size_t i = octets; i-- > 0; number >>= 8) out[i] = static_cast<Octet>(number);
  if (order == WordOrder::least_first) std::ranges::reverse(out);
  return out;
}

bool is_word(std::uint8_t octets) {
  return octets == 1 || octets == 2 || octets == 4 || octets == 8;
}

// The data of a response, in operands or in _DATA.
Octets contents(const Instruction& response) {
  const ExtensionHeader* header = response.find_extension(static_cast<std::uint16_t>(HeadCode::data));
  return header != nullptr && response.operands.empty() ? header->data : response.operands;
}

}  // namespace

struct VirtualMachine::Line {
  Operation operation;
  std::uint8_t a, b, c;
  std::uint64_t at;  // its own address
};

const VirtualMachine::Step VirtualMachine::kSteps[kOperations] = {
    &VirtualMachine::step_raise,   &VirtualMachine::step_set,     &VirtualMachine::step_compute,
    &VirtualMachine::step_compute, &VirtualMachine::step_compute, &VirtualMachine::step_load,
    &VirtualMachine::step_store,   &VirtualMachine::step_branch,  &VirtualMachine::step_branch,
    &VirtualMachine::step_branch,  &VirtualMachine::step_return,  &VirtualMachine::step_yield,
    &VirtualMachine::step_remote,  &VirtualMachine::step_remote,  &VirtualMachine::step_remote,
    &VirtualMachine::step_remote};

// --------------------------------------------------------------------------------------------------------- operations

VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::run_one(ThreadId id, Thread& thread) {
  if (++thread.operations > options_.operations_of_thread) return exception(ReturnCode::out_of_steps);
  const TaskMemory& memory = find_task(thread.task)->memory;
  const Area* area = memory.find(thread.at, kOperationOctets);
  if (area == nullptr || !is_executable(area->kind)) return exception(kBadMemory);
  const Octets octets = *memory.look(thread.at, kOperationOctets);
  const Line line{static_cast<Operation>(octets[0]), octets[1], octets[2], octets[3], thread.at};
  if (octets[0] >= kOperations) return exception(ReturnCode::bad_code);
  thread.at += kOperationOctets;
  return (this->*kSteps[octets[0]])(id, thread, line);
}

VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_raise(ThreadId, Thread&, const Line& line) {
  return tl::unexpected(Refusal{ReturnCode::exception, static_cast<std::uint16_t>(line.b << 8 | line.c)});
}

VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_set(ThreadId, Thread& thread, const Line& line) {
  const auto constant = find_task(thread.task)->memory.look(thread.at, kConstantOctets);
  if (line.a > kLastRegister || !constant) return exception(ReturnCode::bad_code);
  thread.registers[line.a] = number_of(*constant);
  thread.at += kConstantOctets;
  return Flow::on;
}

VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_compute(ThreadId, Thread& thread, const Line& line) {
  const bool copies = line.operation == Operation::copy;
  if (std::max({line.a, line.b, copies ? std::uint8_t{0} : line.c}) > kLastRegister)
    return exception(ReturnCode::bad_code);
  const std::uint64_t left = thread.registers[line.b];
  const std::uint64_t right = copies ? 0 : thread.registers[line.c];
  thread.registers[line.a] = line.operation == Operation::subtract ? left - right : left + right;
  return Flow::on;
}

VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_load(ThreadId, Thread& thread, const Line& line) {
  if (std::max(line.a, line.b) > kLastRegister || !is_word(line.c)) return exception(ReturnCode::bad_code);
  const auto octets = find_task(thread.task)->memory.look(thread.registers[line.b], line.c);
  if (!octets) return exception(kBadMemory);
  thread.registers[line.a] = number_in(*octets, thread.order);
  return Flow::on;
}

VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_store(ThreadId, Thread& thread, const Line& line) {
  if (std::max(line.a, line.b) > kLastRegister || !is_word(line.c)) return exception(ReturnCode::bad_code);
  const OctetBuffer octets = octets_in(thread.registers[line.a], line.c, thread.order);
  if (!write_memory(thread.task, thread.registers[line.b], octets)) return exception(kBadMemory);
  return Flow::on;
}

// Any address is allowed: if it is not code, an exception is raised when it is run.
VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_branch(ThreadId, Thread& thread, const Line& line) {
  if (line.operation == Operation::jump) {
    thread.at += static_cast<std::uint64_t>(
        std::int64_t{static_cast<std::int16_t>(static_cast<std::uint16_t>(line.b << 8 | line.c))});
    return Flow::on;
  }
  if (std::max(line.a, line.b) > kLastRegister) return exception(ReturnCode::bad_code);
  const std::uint64_t left = thread.registers[line.a], right = thread.registers[line.b];
  const bool holds = line.operation == Operation::equal ? left == right : left < right;
  if (holds) thread.at += static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(line.c)} * 4);
  return Flow::on;
}

VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_return(ThreadId id, Thread& thread,
                                                                         const Line& line) {
  if (std::max(line.a, line.b) > kLastRegister) return exception(ReturnCode::bad_code);
  const std::uint64_t count = thread.registers[line.b];
  const auto octets = count == 0 ? Octets{} : find_task(thread.task)->memory.look(thread.registers[line.a], count);
  if (!octets) return exception(kBadMemory);
  if (!can_queue(octets->size())) return exception(ReturnCode::no_memory);
  return_from(thread, *octets);
  end_thread(id);
  return Flow::ended;
}

VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_yield(ThreadId, Thread&, const Line&) {
  return Flow::yields;
}

// 5.8: there are no pointers without a session.
VirtualMachine::Either<VirtualMachine::Flow> VirtualMachine::step_remote(ThreadId, Thread& thread, const Line& line) {
  if (std::max({line.a, line.b, line.c}) > kLastRegister) return exception(ReturnCode::bad_code);
  if (thread.task == 0) return exception(ReturnCode::zero_session);
  const TaskMemory& memory = find_task(thread.task)->memory;
  const std::uint64_t where = thread.registers[line.b];
  const Area* area = memory.find(where, kAddressOctets);
  if (area == nullptr || area->kind != AreaKind::pointers) return exception(ReturnCode::bad_pointer);
  const Address pointer = *decode_address(*memory.look(where, kAddressOctets));
  if (flaw_of(pointer.format())) return exception(ReturnCode::bad_pointer);
  const std::uint64_t count = thread.registers[line.c];
  const std::uint64_t address = thread.registers[line.a];
  const auto data = count == 0 ? Octets{} : memory.look(address, count);
  if (!data) return exception(kBadMemory);
  auto request = remote_request(thread, line.operation, pointer, *data, count);
  if (!request) return tl::unexpected(request.error());
  if (requests_.size() >= options_.pending || !can_queue(octets_held(*request))) return exception(ReturnCode::too_many);
  thread.awaited = Awaited{.operation = line.operation,
                           .req_id = ++last_req_id_,
                           .reg = line.operation == Operation::call ? line.c : line.a,
                           .address = address,
                           .octets = count,
                           .pointer = pointer,
                           .until = now_ + options_.patience};
  request->req_id = last_req_id_;
  send_request(thread, *std::move(request));
  return Flow::waits;
}

// ------------------------------------------------------------------------------------------------------------- turns

void VirtualMachine::run_turn(ThreadId id, std::size_t operations) {
  Thread& thread = threads_.at(id);
  for (std::size_t i = 0; i < operations; ++i) {
    const auto flow = run_one(id, thread);
    if (!flow) {
      raise_from(thread, flow.error());
      return end_thread(id);
    }
    if (*flow != Flow::on) return;
  }
}

void VirtualMachine::advance(Instant now) {
  now_ = std::max(now_, now);
  std::vector<ThreadId> late;
  for (const auto& [id, thread] : threads_)
    if (thread.awaited && thread.awaited->until <= now_) late.push_back(id);
  for (const ThreadId id : late) {
    raise_from(threads_.at(id), {ReturnCode::exception, static_cast<std::uint16_t>(ReturnCode::no_answer)});
    end_thread(id);
  }
  const std::size_t in_turn = std::max<std::size_t>(1, options_.operations_in_turn);
  const std::size_t turns = std::max<std::size_t>(1, options_.operations_in_a_row / in_turn);
  std::size_t passed_over = 0;
  for (std::size_t turn = 0; turn < turns && passed_over < threads_.size();) {
    auto next = threads_.upper_bound(turn_);
    if (next == threads_.end()) next = threads_.begin();
    turn_ = next->first;
    if (next->second.awaited) {
      ++passed_over;
      continue;
    }
    passed_over = 0;
    run_turn(turn_, in_turn);
    ++turn;
  }
}

std::optional<Instant> VirtualMachine::deadline() const {
  std::optional<Instant> first;
  for (const auto& [id, thread] : threads_) {
    if (!thread.awaited) return now_;
    first = std::min(first.value_or(thread.awaited->until), thread.awaited->until);
  }
  return first;
}

// --------------------------------------------------------------------------------------------------------------- ends

void VirtualMachine::return_from(const Thread& thread, Octets data) {
  if (!thread.req_id) return;
  Draft draft = data_draft(Opcode::return_control, data);
  draft.req_id = thread.req_id;
  queue_response(thread.session, std::move(draft));
}

void VirtualMachine::raise_from(const Thread& thread, Refusal exception) {
  if (!thread.req_id) return;
  Draft draft = negative(exception);
  draft.req_id = thread.req_id;
  queue_response(thread.session, std::move(draft));
}

void VirtualMachine::end_thread(ThreadId id) {
  release_thread(threads_.at(id));
  threads_.erase(id);
}

// ------------------------------------------------------------------------------------------------------- other nodes

// 6, 2.1: a local address, unless FREE is in use.
VirtualMachine::Either<Draft> VirtualMachine::remote_request(const Thread& thread, Operation operation,
                                                             const Address& to, Octets data,
                                                             std::uint64_t octets) const {
  OctetBuffer address(to.octets.begin(), to.octets.end());
  if (!to.uses_free())
    address = octets_in(to.memory(), std::max<std::size_t>(4, field_octets(to.format().memory_octets())),
                        WordOrder::most_first);
  Draft draft;
  if (thread.life_time) {
    const bool fits = *thread.life_time <= 0xffff;
    draft.extensions.push_back(
        {HeadCode::life_time, octets_in(*thread.life_time, fits ? 2 : 4, WordOrder::most_first)});
  }
  Writer out(draft.operands);
  const auto pad = [&] { draft.operands.resize((draft.operands.size() + 3) / 4 * 4); };
  if (operation == Operation::read) {
    if (octets > kMostOperands) return exception(ReturnCode::no_memory);
    draft.opcode = static_cast<std::uint8_t>(Opcode::req_data_4);
    out.big_endian(static_cast<std::uint32_t>(octets)).octets(address);
    return draft;
  }
  if (data.size() > kMostCounted) return exception(ReturnCode::no_memory);
  if (operation == Operation::call) {
    draft.opcode = static_cast<std::uint8_t>(Opcode::call);
    out.octets(address).big_endian(static_cast<std::uint16_t>((data.size() + 3) / 4)).octets(data);
    pad();
    return draft;
  }
  if (data.empty()) return exception(ReturnCode::malformed);
  draft.opcode = static_cast<std::uint8_t>(operation == Operation::write ? Opcode::write_ext : Opcode::cmp_ext);
  out.big_endian(static_cast<std::uint32_t>(data.size())).octets(data);
  pad();
  out.octets(address);
  return draft;
}

void VirtualMachine::send_request(const Thread& thread, Draft request) {
  queued_ += octets_held(request);
  requests_.push_back({thread.session, std::move(request)});
}

// The protocol layer has not checked it (6): a response that no thread waits for is ignored.
void VirtualMachine::on_response(const Instruction& response, const Circumstances& at) {
  const auto found = std::ranges::find_if(threads_, [&](const auto& entry) {
    const Thread& thread = entry.second;
    return thread.awaited && response.header.ask && thread.awaited->req_id == response.header.req_id &&
           thread.session == at.session;
  });
  if (found == threads_.end()) return;
  const ThreadId id = found->first;
  Thread& thread = found->second;
  const auto result = take_response(thread, response);
  if (!result) {
    raise_from(thread, result.error());
    return end_thread(id);
  }
  thread.registers[thread.awaited->reg] = *result;
  thread.awaited.reset();
}

// A response without operands is positive, and means equal data (4.1, 6.2.3). DATA and RETURN may have any length;
// octets after the requested ones are padding.
VirtualMachine::Either<std::uint64_t> VirtualMachine::take_response(const Thread& thread, const Instruction& response) {
  const Awaited& awaited = *thread.awaited;
  const bool is_rsp = response.opcode() == static_cast<std::uint8_t>(Opcode::rsp);
  const std::uint64_t codes =
      is_rsp ? number_of(response.operands.first(std::min<std::size_t>(4, response.operands.size()))) : 0;
  if (codes >> 16 != 0) return exception(ReturnCode::remote);
  const std::uint64_t before = thread.registers[awaited.reg];
  switch (awaited.operation) {
    case Operation::write:
      if (is_rsp) return before;
      break;
    case Operation::compare:
      if (!is_rsp) break;
      return codes == 0 ? 0 : codes == 1 ? std::uint64_t{1} : ~std::uint64_t{0};
    case Operation::read: {
      const Octets data = contents(response);
      if (response.opcode() != static_cast<std::uint8_t>(Opcode::data) || data.size() < awaited.octets) break;
      if (!write_memory(thread.task, awaited.address, data.first(static_cast<std::size_t>(awaited.octets))))
        return exception(kBadMemory);
      return before;
    }
    case Operation::call: {
      if (response.opcode() != static_cast<std::uint8_t>(Opcode::return_control)) break;
      const Octets data = contents(response);
      const Octets fitting = data.first(static_cast<std::size_t>(std::min<std::uint64_t>(data.size(), awaited.octets)));
      if (!fitting.empty() && !write_memory(thread.task, awaited.address, fitting)) return exception(kBadMemory);
      return data.size();
    }
    default:
      break;
  }
  return exception(ReturnCode::remote);
}

}  // namespace wirelaw::umsp
