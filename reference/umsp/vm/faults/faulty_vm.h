// SPDX-License-Identifier: Apache-2.0
// A virtual machine that commits deviations: it overrides each step that a deviation changes.
#pragma once

#include <vector>

#include "reference/umsp/vm/faults/vm_deviations.h"
#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {

class FaultyVm final : public VirtualMachine {
 public:
  FaultyVm(VmOptions options, const VmDeviations& deviations);

  // --- execution and answers (faulty_vm.cc)
  Execution execute(const Instruction& instruction, const Circumstances& at, Instant now) override;
  void on_response(const Instruction& response, const Circumstances& at) override;
  void advance(Instant now) override;
  std::optional<Instant> deadline() const override;
  void forget_node(std::uint64_t task, Octets node) override;

 private:
  struct Patience {
    std::uint32_t session = 0;
    std::uint32_t req_id = 0;
    Instant until{};
  };

  Execution answer(const Request& request, Draft response) override;
  Execution execute_without_session(const Instruction& instruction, const Circumstances& at, Instant now);
  void falsify(Execution& done, const Instruction& instruction, const Circumstances& at) const;
  void watch_time(const Instruction& instruction, const Circumstances& at);
  void release_task(std::uint64_t task) override;
  void delete_objects_of(std::uint64_t task) override;

  // --- reading of operands (faulty_vm_operands.cc)
  Either<Request> read(const Instruction& instruction, const Circumstances& at) const override;
  OperandView place(const Instruction& instruction) const override;
  std::uint64_t task_of(const Circumstances& at) const override;
  Either<std::uint64_t> local_address(Octets field, const Circumstances& at) const override;
  Either<std::uint64_t> short_address(std::uint64_t given, const Circumstances& at) const override;
  Either<std::uint64_t> object_offset(Octets field) const override;
  bool runs(std::uint16_t type, std::uint16_t version) const override;
  Either<WordOrder> format_of(std::uint16_t type, std::uint16_t version) const override;
  Octets data_of(const Request& request) const override;
  bool refuses(const Request& request) const;

  // --- memory, watching and threads (faulty_vm_steps.cc)
  bool write_memory(std::uint64_t task, std::uint64_t address, Octets octets) override;
  void free_memory(std::uint64_t task, std::uint64_t address) override;
  bool has_changed(const Watch& watch, Octets now) const override;
  void report(const Watch& watch, Octets now) override;
  bool stays_watched(const Watch& watch) const override;
  void return_from(const Thread& thread, Octets data) override;
  void raise_from(const Thread& thread, Refusal exception) override;
  void release_thread(const Thread& thread) override;
  void send_request(const Thread& thread, Draft request) override;
  Either<std::uint64_t> take_response(const Thread& thread, const Instruction& response) override;

  // --- objects (faulty_vm_objects.cc)
  const Object* find_object(std::uint32_t number) const override;
  bool is_visible(const Object& object, std::uint64_t task) const override;
  const Procedure* find_procedure(const Request& request) const override;
  const Object* seek(const Request& request) const override;
  bool takes_name(const Request& request) const override;
  bool may_delete(const Object& object, std::uint64_t task) const override;
  bool can_number(std::size_t octets) const override;
  Object make_object(const Request& request) const override;

  bool deviates(VmDeviation deviation) const { return deviations_.has(deviation); }

  VmDeviations deviations_;
  std::optional<std::uint32_t> latest_req_id_;  // req_id_checked
  std::vector<Patience> patiences_;             // times_out_syn
  mutable bool reads_new_ = false;              // new_of_any_vm: the current instruction makes an object
};

}  // namespace wirelaw::umsp
