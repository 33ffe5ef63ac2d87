// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/management.h"

#include <algorithm>
#include <string_view>

#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kVersionShift = 8;

// The operands of an instruction, by name. Requires that it has the form of its row.
class Fields {
 public:
  explicit Fields(const Instruction& instruction, const Lengths& lengths = {})
      : operands_(instruction.operands), view_(locate(instruction, lengths)) {}

  bool fit() const { return !view_.flaw || view_.flaw == OperandFlaw::padding; }
  bool has(Operand operand) const { return view_.find(operand) != nullptr; }
  template <class Int>
  Int number(Operand operand) const {
    return static_cast<Int>(value_of(view_, operand, operands_).value_or(0));
  }
  TaskId task(Operand operand) const {
    const Located* const found = view_.find(operand);
    return {number<std::uint64_t>(operand), static_cast<std::uint8_t>(found != nullptr ? found->length : 4)};
  }
  Identifier identifier(Operand operand) const {
    const Located* const found = view_.find(operand);
    if (found == nullptr) return {};
    return decode_identifier(octets_of(*found, operands_)).value_or(Identifier{});
  }
  Codes codes(Operand basic, Operand additional) const {
    return {number<std::uint16_t>(basic), number<std::uint16_t>(additional)};
  }
  Codes error() const { return codes(Operand::basic_error_code, Operand::additional_error_code); }
  Codes termination() const { return codes(Operand::basic_termination_code, Operand::additional_termination_code); }
  Codes completion() const { return codes(Operand::basic_completion_code, Operand::additional_completion_code); }

 private:
  Octets operands_;
  OperandView view_;
};

// Operands under construction.
class OperandBuilder {
 public:
  OperandBuilder& codes(Codes codes) {
    Writer(octets_).big_endian(codes.basic).big_endian(codes.additional);
    return *this;
  }
  template <class Int>
  OperandBuilder& number(Int value) {
    Writer(octets_).big_endian(value);
    return *this;
  }
  OperandBuilder& task(TaskId id) {
    for (unsigned left = id.octets; left-- > 0;) octets_.push_back(static_cast<Octet>(id.number >> (8 * left)));
    return *this;
  }
  OperandBuilder& identifier(const Identifier& id) {
    encode(id, octets_);
    return *this;
  }
  OperandBuilder& vm(VmKind kind) { return number(kind.type).number(kind.version); }
  Draft as(Opcode opcode) { return draft_of(opcode, std::move(octets_)); }

 private:
  OctetBuffer octets_;
};

// An identifier after another operand has at least 4 octets (5).
TaskId in_four(TaskId id) {
  if (id.octets < 4) id.octets = 4;
  return id;
}

}  // namespace

std::optional<Codes> read_codes(const Instruction& instruction) {
  if (instruction.operands.empty()) return Codes{};
  Reader reader(instruction.operands);
  const Codes codes{reader.big_endian<std::uint16_t>(), reader.big_endian<std::uint16_t>()};
  if (!reader.ok()) return std::nullopt;
  return codes;
}

Draft codes_draft(Opcode opcode, Codes codes) {
  if (codes == Codes{} && describe(opcode).length.least == 0) return draft_of(opcode);
  return OperandBuilder().codes(codes).as(opcode);
}

std::uint32_t encode(ControlProfile profile) {
  return std::uint32_t{profile.job_life_time} << 16 | (profile.cmt ? 1u : 0u) << 15 |
         (profile.reserved >> 8 & 7u) << 12 | (profile.version & 15u) << kVersionShift | (profile.reserved & 0xffu);
}

ControlProfile decode_control_profile(std::uint32_t value) {
  return {.job_life_time = static_cast<std::uint16_t>(value >> 16),
          .cmt = (value >> 15 & 1) != 0,
          .version = static_cast<std::uint8_t>(value >> kVersionShift & 15),
          .reserved = static_cast<std::uint16_t>((value >> 12 & 7) << 8 | (value & 0xff))};
}

std::optional<ControlReq> ControlReq::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return ControlReq{decode_control_profile(fields.number<std::uint32_t>(Operand::control_profile)),
                    fields.task(Operand::ltid)};
}
Draft ControlReq::draft() const {
  return OperandBuilder().number(encode(profile)).task(in_four(ltid)).as(Opcode::control_req);
}

std::optional<ControlConfirm> ControlConfirm::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit() || !fields.has(Operand::gjid)) return std::nullopt;
  return ControlConfirm{fields.identifier(Operand::gjid)};
}
Draft ControlConfirm::draft() const {
  return OperandBuilder().identifier(gjid).as(Opcode::control_confirm);
}

std::optional<ControlReject> ControlReject::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit() || !fields.has(Operand::basic_error_code)) return std::nullopt;
  ControlReject reject{.codes = fields.error()};
  if (fields.has(Operand::control_profile)) reject.profile = fields.number<std::uint32_t>(Operand::control_profile);
  return reject;
}
Draft ControlReject::draft() const {
  OperandBuilder operands;
  operands.codes(codes);
  if (profile) operands.number(*profile);
  return operands.as(Opcode::control_reject);
}

std::optional<TaskReg> TaskReg::read(const Instruction& instruction, std::uint8_t ctid_octets,
                                     std::uint8_t ltid_octets) {
  const Fields fields(instruction, {.ctid = ctid_octets, .ltid = ltid_octets});
  if (!fields.fit()) return std::nullopt;
  return TaskReg{fields.task(Operand::ctid), fields.identifier(Operand::gtid), fields.task(Operand::ltid)};
}
Draft TaskReg::draft(bool check) const {
  const Opcode by_length = ctid.octets == 2   ? Opcode::task_reg_2
                           : ctid.octets == 8 ? Opcode::task_reg_8
                                              : Opcode::task_reg_4;
  return OperandBuilder().task(ctid).identifier(gtid).task(ltid).as(check ? Opcode::task_chk : by_length);
}

std::optional<TaskConfirm> TaskConfirm::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return TaskConfirm{fields.task(Operand::ctid)};
}
Draft TaskConfirm::draft() const {
  return OperandBuilder().task(in_four(ctid)).as(Opcode::task_confirm);
}

std::optional<TaskReject> TaskReject::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return TaskReject{fields.error()};
}
Draft TaskReject::draft() const {
  return OperandBuilder().codes(codes).as(Opcode::task_reject);
}

std::optional<SessionOpen> SessionOpen::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  const auto number = [&](Operand operand) { return fields.number<std::uint16_t>(operand); };
  return SessionOpen{.required_vm = {number(Operand::required_vm_type), number(Operand::required_vm_version)},
                     .required_profile = fields.number<std::uint32_t>(Operand::required_profile),
                     .sender_vm = {number(Operand::sender_vm_type), number(Operand::sender_vm_version)},
                     .sender_profile = fields.number<std::uint32_t>(Operand::sender_profile),
                     .window = number(Operand::window),
                     .gjid = fields.identifier(Operand::gjid),
                     .ltid = fields.task(Operand::ltid)};
}
Draft SessionOpen::draft() const {
  return OperandBuilder()
      .vm(required_vm)
      .number(required_profile)
      .vm(sender_vm)
      .number(sender_profile)
      .number(window)
      .identifier(gjid)
      .task(in_four(ltid))
      .as(Opcode::session_open);
}

std::optional<TaskTerminate> TaskTerminate::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return TaskTerminate{fields.termination(), fields.task(Operand::ctid)};
}
Draft TaskTerminate::draft() const {
  return OperandBuilder().codes(codes).task(in_four(ctid)).as(Opcode::task_terminate);
}

std::optional<TaskTerminateInfo> TaskTerminateInfo::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return TaskTerminateInfo{fields.termination(), fields.identifier(Operand::gtid)};
}
Draft TaskTerminateInfo::draft() const {
  return OperandBuilder().codes(codes).identifier(gtid).as(Opcode::task_terminate_info);
}

std::optional<JobCompleted> JobCompleted::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return JobCompleted{fields.completion(), fields.task(Operand::ctid)};
}
Draft JobCompleted::draft() const {
  return OperandBuilder().codes(codes).task(in_four(ctid)).as(Opcode::job_completed);
}

std::optional<JobCompletedInfo> JobCompletedInfo::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  JobCompletedInfo info{.codes = {}, .gjid = fields.identifier(Operand::gjid)};
  if (fields.has(Operand::basic_completion_code)) info.codes = fields.completion();
  return info;
}
Draft JobCompletedInfo::draft() const {
  OperandBuilder operands;
  if (codes) operands.codes(*codes);
  return operands.identifier(gjid).as(Opcode::job_completed_info);
}

std::optional<StateReq> StateReq::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return StateReq{fields.task(Operand::ltid)};
}
Draft StateReq::draft() const {
  return OperandBuilder().task(in_four(ltid)).as(Opcode::state_req);
}

std::optional<TaskState> TaskState::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return TaskState{fields.number<std::uint8_t>(Operand::state), fields.task(Operand::ctid)};
}
Draft TaskState::draft() const {
  OperandBuilder operands;
  operands.number(state).number(std::uint8_t{0});
  if (ctid.octets != 2) operands.number(std::uint16_t{0});
  return operands.task(ctid).as(Opcode::task_state);
}

std::optional<NodeReload> NodeReload::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return NodeReload{fields.task(Operand::ltid)};
}
Draft NodeReload::draft() const {
  return OperandBuilder().task(in_four(ltid)).as(Opcode::node_reload);
}

std::optional<ReqBuf> ReqBuf::read(const Instruction& instruction) {
  const Fields fields(instruction);
  if (!fields.fit()) return std::nullopt;
  return ReqBuf{fields.number<std::uint32_t>(Operand::buffer_size)};
}
Draft ReqBuf::draft() const {
  return OperandBuilder().number(octets).as(Opcode::req_buf);
}

namespace {
std::vector<VmKind> read_vms(Reader& reader) {
  std::vector<VmKind> vms;
  while (reader.remaining() >= 4) {
    const auto type = reader.big_endian<std::uint16_t>();
    vms.push_back({type, reader.big_endian<std::uint16_t>()});
  }
  return vms;
}
}  // namespace

std::optional<VmReq> VmReq::read(const Instruction& instruction) {
  Reader reader(instruction.operands);
  return VmReq{read_vms(reader)};
}
Draft VmReq::draft() const {
  OperandBuilder operands;
  for (const VmKind& one : vms) operands.vm(one);
  return operands.as(Opcode::vm_req);
}

std::optional<VmNotif> VmNotif::read(const Instruction& instruction) {
  Reader reader(instruction.operands);
  VmNotif notif{.transport = reader.big_endian<std::uint16_t>(), .vms = {}};
  reader.skip(2);
  if (!reader.ok()) return std::nullopt;
  notif.vms = read_vms(reader);
  return notif;
}
Draft VmNotif::draft() const {
  OperandBuilder operands;
  operands.number(transport).number(std::uint16_t{0});
  for (const VmKind& one : vms) operands.vm(one);
  return operands.as(Opcode::vm_notif);
}

OwnedExtension inaction_extension(std::uint16_t half_seconds) {
  OwnedExtension extension{HeadCode::inaction_time};
  Writer(extension.data).big_endian(half_seconds);
  return extension;
}

OwnedExtension text_extension(HeadCode head_code, std::string_view text) {
  return {head_code, OctetBuffer(text.begin(), text.end())};
}

std::optional<std::uint16_t> inaction_of(const Instruction& instruction) {
  const ExtensionHeader* const found = instruction.find_extension(static_cast<std::uint16_t>(HeadCode::inaction_time));
  if (found == nullptr || found->data.size() < 2) return std::nullopt;
  return load_big_endian<std::uint16_t>(found->data.data());
}

std::optional<std::string_view> name_of(const Instruction& instruction) {
  const ExtensionHeader* const found = instruction.find_extension(static_cast<std::uint16_t>(HeadCode::name));
  if (found == nullptr) return std::nullopt;
  std::string_view name(reinterpret_cast<const char*>(found->data.data()),
                        found->data.size());  // NOLINT: octets of text
  while (!name.empty() && name.back() == '\0') name.remove_suffix(1);
  if (std::ranges::any_of(name, [](char c) { return (c & 0x80) != 0; })) return std::nullopt;
  return name;
}

}  // namespace wirelaw::umsp
