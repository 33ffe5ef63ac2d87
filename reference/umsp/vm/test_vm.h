// SPDX-License-Identifier: Apache-2.0
// Instructions for a virtual machine in tests, and its responses.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/umsp/operands.h"
#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {

inline constexpr std::uint64_t kTestTask = 7, kOtherTask = 8;
inline constexpr std::uint32_t kTestReqId = 0x0102'0304;

// Numbers of this length, one after the other.
struct Number {
  std::uint64_t value;
  std::size_t octets;
};
inline OctetBuffer numbers(std::initializer_list<Number> list, Octets behind = {}) {
  OctetBuffer out;
  for (const Number& one : list)
    for (std::size_t i = one.octets; i-- > 0;) out.push_back(i < 8 ? static_cast<Octet>(one.value >> i * 8) : Octet{0});
  out.insert(out.end(), behind.begin(), behind.end());
  return out;
}

// A decoded response.
struct Said {
  std::uint8_t opcode = 0;
  std::uint32_t req_id = 0;
  OctetBuffer operands;  // padded
  std::optional<OctetBuffer> data_header;
  std::optional<std::string> name;

  bool is(Opcode code) const { return opcode == static_cast<std::uint8_t>(code); }
  bool is_positive() const { return is(Opcode::rsp) && basic() == 0; }
  bool is_negative() const { return is(Opcode::rsp) && basic() != 0; }
  std::uint16_t basic() const { return operands.empty() ? 0 : static_cast<std::uint16_t>(number(0, 2)); }
  std::uint16_t additional() const { return operands.empty() ? 0 : static_cast<std::uint16_t>(number(2, 2)); }
  ReturnCode code() const { return static_cast<ReturnCode>(basic()); }
  std::uint64_t number(std::size_t at, std::size_t octets) const {
    return operands.size() < at + octets ? ~std::uint64_t{0} : number_of(Octets(operands).subspan(at, octets));
  }
  std::uint64_t address() const { return number_of(operands); }
};

inline Said read_draft(const Draft& draft) {
  const OctetBuffer octets = write(draft);
  const Instruction instruction = *decode(octets);
  Said said{.opcode = instruction.opcode(),
            .req_id = instruction.header.req_id,
            .operands = OctetBuffer(instruction.operands.begin(), instruction.operands.end())};
  for (const ExtensionHeader& one : instruction.extensions) {
    if (one.head_code == static_cast<std::uint16_t>(HeadCode::data))
      said.data_header = OctetBuffer(one.data.begin(), one.data.end());
    if (one.head_code == static_cast<std::uint16_t>(HeadCode::name))
      said.name = std::string(one.data.begin(), one.data.end());
  }
  return said;
}

class TestVm {
 public:
  explicit TestVm(VmOptions options = {}) : TestVm(std::make_unique<VirtualMachine>(std::move(options))) {}
  explicit TestVm(std::unique_ptr<VirtualMachine> made) : vm_(std::move(made)) {
    vm_->begin_task(kTestTask);
    vm_->begin_task(kOtherTask);
  }

  VirtualMachine& vm() { return *vm_; }
  VirtualMachine* operator->() { return vm_.get(); }

  // For the tests' task, in the session with its number.
  static Circumstances in(std::uint64_t task) { return {.session = static_cast<std::uint32_t>(task), .task = task}; }
  static Draft make(Opcode opcode, OctetBuffer operands) {
    Draft draft = draft_of(opcode, std::move(operands));
    draft.req_id = kTestReqId;
    return draft;
  }

  Execution execute(const Draft& draft, const Circumstances& at = in(kTestTask)) {
    const OctetBuffer octets = write(draft);
    const Instruction instruction = *decode(octets, {.octets = 1u << 24});
    can_ = vm_->can_execute(instruction, at);
    return vm_->execute(instruction, at, now_);
  }
  // The latest result of can_execute().
  bool could() const { return can_; }

  // Returns the immediate answer. The opcode is 0 if there is none.
  Said ask(const Draft& draft, const Circumstances& at = in(kTestTask)) {
    const Execution done = execute(draft, at);
    return done.response ? read_draft(*done.response) : Said{};
  }
  Said ask(Opcode opcode, OctetBuffer operands, const Circumstances& at = in(kTestTask)) {
    return ask(make(opcode, std::move(operands)), at);
  }
  Said ask(Opcode opcode, OctetBuffer operands, std::uint64_t task) {
    return ask(make(opcode, std::move(operands)), in(task));
  }
  // Returns the response, at once or after all threads have run as far as they can.
  Said call(const Draft& draft, const Circumstances& at = in(kTestTask)) {
    const Execution done = execute(draft, at);
    if (done.response) return read_draft(*done.response);
    run();
    return next();
  }
  Said call(Opcode opcode, OctetBuffer operands, const Circumstances& at = in(kTestTask)) {
    return call(make(opcode, std::move(operands)), at);
  }

  void run() {
    while (vm_->deadline() && *vm_->deadline() <= now_) vm_->advance(now_);
  }
  void pass(Instant time) {
    now_ += time;
    vm_->advance(now_);
  }
  Said next() {
    FromVm out;
    return vm_->next_response(out) ? read_draft(out.instruction) : Said{};
  }
  std::optional<FromVm> request() {
    FromVm out;
    if (!vm_->next_request(out)) return std::nullopt;
    return out;
  }
  // Answers a thread's request.
  void respond(Draft response, std::uint32_t req_id, const Circumstances& at = in(kTestTask)) {
    response.req_id = req_id;
    const OctetBuffer octets = write(response);
    vm_->on_response(*decode(octets, {.octets = 1u << 24}), at);
  }

  // --- often needed
  OctetBuffer read(std::uint64_t address, std::uint32_t octets, std::uint64_t task = kTestTask) {
    const Said said = ask(Opcode::req_data_4, numbers({{octets, 4}, {address, 4}}), task);
    return said.is(Opcode::data) ? said.operands : OctetBuffer{};
  }
  std::uint64_t allocate(std::uint32_t octets) {
    const Said said = ask(Opcode::mem_alloc, numbers({{octets, 4}}));
    return said.is(Opcode::address) ? said.address() : 0;
  }
  std::uint64_t move_code(Octets code) {
    const Said said =
        ask(Opcode::mvcode, numbers({{offered::kVmType, 2}, {offered::kVmVersion, 2}}, encode_image(code)));
    return said.is(Opcode::address) ? said.address() : 0;
  }
  Draft run_draft(Octets code, Octets parameters = {}) {
    return make(Opcode::mvrun,
                numbers({{offered::kVmType, 2}, {offered::kVmVersion, 2}}, encode_image(code, parameters)));
  }

 private:
  std::unique_ptr<VirtualMachine> vm_;
  Instant now_{};
  bool can_ = false;
};

inline Draft with_header(Draft draft, HeadCode code, std::string_view text) {
  draft.extensions.push_back({code, OctetBuffer(text.begin(), text.end())});
  return draft;
}

}  // namespace wirelaw::umsp
