// SPDX-License-Identifier: Apache-2.0
// Deviations in writing and watching memory, and in threads.
#include <algorithm>

#include "reference/umsp/vm/faults/faulty_vm.h"

namespace wirelaw::umsp {
namespace {

using enum VmDeviation;

OctetBuffer turned_round(Octets octets) {
  OctetBuffer out(octets.begin(), octets.end());
  for (std::size_t i = 0; i + 4 <= out.size(); i += 4) std::reverse(out.data() + i, out.data() + i + 4);
  return out;
}

}  // namespace

bool FaultyVm::write_memory(std::uint64_t task, std::uint64_t address, Octets octets) {
  const OctetBuffer converted = deviates(words_converted) ? turned_round(octets) : OctetBuffer();
  const Octets written = deviates(words_converted) ? Octets(converted) : octets;
  if (deviates(one_memory_for_all))
    for (const auto& [other, all] : tasks_)
      if (other != task) VirtualMachine::write_memory(other, address, written);
  return VirtualMachine::write_memory(task, address, written);
}

void FaultyVm::free_memory(std::uint64_t task, std::uint64_t address) {
  if (!deviates(free_ignored)) VirtualMachine::free_memory(task, address);
}

bool FaultyVm::has_changed(const Watch& watch, Octets now) const {
  if (deviates(syn_reports_unchanged)) return true;
  if (deviates(syn_never_reports)) return false;
  if (!deviates(syn_mask_inverted) && !deviates(syn_mask_ignored)) return VirtualMachine::has_changed(watch, now);
  Watch other = watch;
  for (Octet& one : other.mask) one = deviates(syn_mask_ignored) ? Octet{0xff} : static_cast<Octet>(~one);
  return VirtualMachine::has_changed(other, now);
}

void FaultyVm::report(const Watch& watch, Octets now) {
  VirtualMachine::report(watch, deviates(syn_reports_old_data) ? Octets(watch.initial) : now);
}

// While the caller fetches reports.
bool FaultyVm::stays_watched(const Watch&) const {
  return deviates(syn_reports_again) && responses_.size() < options_.pending;
}

void FaultyVm::return_from(const Thread& thread, Octets data) {
  if (deviates(return_in_own_format) && thread.order == WordOrder::least_first)
    return VirtualMachine::return_from(thread, turned_round(data));
  VirtualMachine::return_from(thread, data);
}

void FaultyVm::raise_from(const Thread& thread, Refusal exception) {
  if (deviates(exception_returns)) return VirtualMachine::return_from(thread, {});
  if (!deviates(exception_silent)) VirtualMachine::raise_from(thread, exception);
}

void FaultyVm::release_thread(const Thread& thread) {
  if (!deviates(run_code_kept)) VirtualMachine::release_thread(thread);
}

void FaultyVm::send_request(const Thread& thread, Draft request) {
  if (deviates(repeats_requests)) VirtualMachine::send_request(thread, request);
  VirtualMachine::send_request(thread, std::move(request));
}

VirtualMachine::Either<std::uint64_t> FaultyVm::take_response(const Thread& thread, const Instruction& response) {
  const Awaited& awaited = *thread.awaited;
  const std::uint64_t octets = response.operands.size();
  const std::uint64_t words = (awaited.octets + 3) / 4;
  const bool wrong = (awaited.operation == Operation::read && deviates(data_length_checked) && octets != words * 4) ||
                     (awaited.operation == Operation::call && deviates(return_length_checked) && octets > words * 4) ||
                     (awaited.operation == Operation::call && deviates(return_data_demanded) && octets == 0);
  if (wrong) return tl::unexpected(Refusal{ReturnCode::exception, static_cast<std::uint16_t>(ReturnCode::remote)});
  if (awaited.operation == Operation::compare && octets == 0 && deviates(cmp_empty_is_less)) return ~std::uint64_t{0};
  return VirtualMachine::take_response(thread, response);
}

}  // namespace wirelaw::umsp
