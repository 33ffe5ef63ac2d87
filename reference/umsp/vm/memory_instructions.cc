// SPDX-License-Identifier: Apache-2.0
// RFC 3018 6.1, 6.2, 6.4, 6.5: memory is read, written, compared, allocated, freed and watched.
#include <algorithm>
#include <cstring>
#include <utility>

#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {
namespace {

constexpr Refusal kBadAddress{ReturnCode::bad_address};
constexpr std::uint16_t kLess = 0xffff, kMore = 1;

}  // namespace

// ------------------------------------------------------------------------------------------------ reading and writing

VirtualMachine::Check VirtualMachine::check_req_data(const Request& request) const {
  if (!find_task(request.task)->memory.look(request.address, request.length)) return kBadAddress;
  return std::nullopt;
}

Execution VirtualMachine::perform_req_data(const Request& request) {
  const Octets data = *find_task(request.task)->memory.look(request.address, request.length);
  return answer(request, data_draft(Opcode::data, data));
}

VirtualMachine::Check VirtualMachine::check_write(const Request& request) const {
  const Area* area = find_task(request.task)->memory.find(request.address, request.data.size());
  if (area == nullptr) return kBadAddress;
  if (!is_writable(area->kind)) return Refusal{ReturnCode::protected_memory};
  return std::nullopt;
}

Execution VirtualMachine::perform_write(const Request& request) {
  write_memory(request.task, request.address, request.data);
  return answer(request, positive());
}

VirtualMachine::Check VirtualMachine::check_cmp(const Request& request) const {
  if (!find_task(request.task)->memory.look(request.address, request.data.size())) return kBadAddress;
  return std::nullopt;
}

Execution VirtualMachine::perform_cmp(const Request& request) {
  const int outcome =
      compare(*find_task(request.task)->memory.look(request.address, request.data.size()), request.data);
  return answer(request, positive(outcome < 0 ? kLess : outcome > 0 ? kMore : 0));
}

int VirtualMachine::compare(Octets there, Octets given) const {
  return std::memcmp(there.data(), given.data(), std::min(there.size(), given.size()));
}

bool VirtualMachine::write_memory(std::uint64_t task, std::uint64_t address, Octets octets) {
  if (!find_task(task)->memory.write(address, octets)) return false;
  watch_again(task, address, octets.size());
  return true;
}

// ---------------------------------------------------------------------------------------------- allocating and freeing

// 5.8: without a session the memory would never be freed.
VirtualMachine::Check VirtualMachine::check_mem_alloc(const Request& request) const {
  if (request.task == 0) return Refusal{ReturnCode::zero_session};
  if (request.length == 0) return Refusal{ReturnCode::malformed};
  return check_memory(request.task, static_cast<std::size_t>(request.length));
}

Execution VirtualMachine::perform_mem_alloc(const Request& request) {
  OctetBuffer octets(static_cast<std::size_t>(request.length));
  return answer(request, address_of(allocate(request.task, AreaKind::data, std::move(octets))));
}

VirtualMachine::Check VirtualMachine::check_mvcode(const Request& request) const {
  if (request.task == 0) return Refusal{ReturnCode::zero_session};
  const auto image = decode_image(request.data);
  if (!image || !image->parameters.empty()) return Refusal{ReturnCode::bad_code};
  return check_memory(request.task, image->code.size());
}

Execution VirtualMachine::perform_mvcode(const Request& request) {
  const Octets code = decode_image(request.data)->code;
  return answer(request, address_of(allocate(request.task, AreaKind::code, OctetBuffer(code.begin(), code.end()))));
}

Draft VirtualMachine::address_of(std::uint64_t address) const {
  Draft draft = draft_of(Opcode::address);
  if (options_.format.memory_octets() > 4)
    Writer(draft.operands).big_endian(address);
  else
    Writer(draft.operands).big_endian(static_cast<std::uint32_t>(address));
  return draft;
}

VirtualMachine::Check VirtualMachine::check_free(const Request& request) const {
  const Area* area = find_task(request.task)->memory.find(request.address);
  if (area == nullptr) return kBadAddress;
  if (!is_freeable(area->kind)) return Refusal{ReturnCode::protected_memory};
  return std::nullopt;
}

Execution VirtualMachine::perform_free(const Request& request) {
  free_memory(request.task, request.address);
  return answer(request, positive());
}

// ------------------------------------------------------------------------------------------------------------ watching

VirtualMachine::Check VirtualMachine::check_syn(const Request& request) const {
  if (request.mask.size() != request.data.size()) return Refusal{ReturnCode::malformed};
  if (!find_task(request.task)->memory.look(request.address, request.data.size())) return kBadAddress;
  if (pending() >= options_.pending) return Refusal{ReturnCode::too_many};
  return check_room(request.task, 2 * request.data.size());
}

// Without a REQ_ID nothing waits for the data.
Execution VirtualMachine::perform_syn(const Request& request) {
  if (!request.instruction.header.ask) return {};
  const auto copy = [](Octets octets) { return OctetBuffer(octets.begin(), octets.end()); };
  Watch watch{.task = request.task,
              .session = request.at.session,
              .req_id = request.instruction.header.req_id,
              .address = request.address,
              .initial = copy(request.data),
              .mask = copy(request.mask)};
  const Octets there = *find_task(request.task)->memory.look(watch.address, watch.initial.size());
  if (has_changed(watch, there)) return answer(request, data_draft(Opcode::data, there));
  charge(request.task, 2 * watch.initial.size());
  watches_.push_back(std::move(watch));
  return {.kind = Execution::Kind::under_way};
}

bool VirtualMachine::has_changed(const Watch& watch, Octets now) const {
  for (std::size_t i = 0; i < now.size(); ++i)
    if (((now[i] ^ watch.initial[i]) & watch.mask[i]) != 0) return true;
  return false;
}

void VirtualMachine::report(const Watch& watch, Octets now) {
  Draft draft = can_queue(now.size()) ? data_draft(Opcode::data, now) : negative({ReturnCode::too_many});
  draft.req_id = watch.req_id;
  queue_response(watch.session, std::move(draft));
}

// Called after a write: data that have changed are reported, once.
void VirtualMachine::watch_again(std::uint64_t task, std::uint64_t address, std::uint64_t octets) {
  for (std::size_t i = 0; i < watches_.size();) {
    const Watch& watch = watches_[i];
    const bool before = watch.address <= address && address - watch.address < watch.initial.size();
    const bool behind = watch.address > address && watch.address - address < octets;
    const auto now = watch.task == task && (before || behind)
                         ? find_task(task)->memory.look(watch.address, watch.initial.size())
                         : std::nullopt;
    const bool changed = now && has_changed(watch, *now);
    if (changed) report(watch, *now);
    if (!changed || stays_watched(watch)) {
      ++i;
      continue;
    }
    discharge(task, 2 * watch.initial.size());
    watches_.erase(watches_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// The memory is freed: data watched there have no address any more.
void VirtualMachine::unwatch(std::uint64_t task, const Area& area, std::uint64_t address) {
  std::erase_if(watches_, [&](const Watch& watch) {
    if (watch.task != task || watch.address < address || watch.address - address >= area.octets.size()) return false;
    Draft draft = negative(kBadAddress);
    draft.req_id = watch.req_id;
    queue_response(watch.session, std::move(draft));
    discharge(task, 2 * watch.initial.size());
    return true;
  });
}

}  // namespace wirelaw::umsp
