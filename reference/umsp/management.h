// SPDX-License-Identifier: Apache-2.0
// The instructions that manage jobs, tasks and sessions (RFC 3018 4.1, 5, 7.4, 9), with named fields. Each is converted
// to a Draft, and from an instruction with its OPCODE: the result is nothing if the operands do not have its form. The
// node interprets the values. "A..." are the rulings on points that the text leaves open.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/umsp/address.h"
#include "reference/umsp/draft.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

// The basic and the additional code of responses, errors, terminations and completions. Absent operands are zeros.
struct Codes {
  std::uint16_t basic = 0;
  std::uint16_t additional = 0;
  friend constexpr bool operator==(const Codes&, const Codes&) = default;
};
// For RSP, RSP_P, SESSION_CLOSE, SESSION_ABEND, SND_CANCEL, and other instructions that begin with the codes.
std::optional<Codes> read_codes(const Instruction& instruction);
// Omits the operands if both codes are 0 and the form allows that.
Draft codes_draft(Opcode opcode, Codes codes);

// A task's identifier of 2, 4 or 8 octets: the length of its node's local addresses (5; UMSP/A21, UMSP/A22, UMSP/A26).
struct TaskId {
  std::uint64_t number = 0;
  std::uint8_t octets = 4;  // length of its field: 2, 4 or 8
  friend constexpr bool operator==(const TaskId&, const TaskId&) = default;
};

// 5.1.1, the control parameters profile.
struct ControlProfile {
  std::uint16_t job_life_time = 0;  // seconds; 0: not limited
  bool cmt = false;                 // reserved for later
  std::uint8_t version = 1;         // 4 bits (UMSP/A19)
  std::uint16_t reserved = 0;       // 3 bits, and 8
};
std::uint32_t encode(ControlProfile profile);
ControlProfile decode_control_profile(std::uint32_t value);

struct ControlReq {
  ControlProfile profile;
  TaskId ltid;
  static std::optional<ControlReq> read(const Instruction& instruction);
  Draft draft() const;
};
struct ControlConfirm {
  Identifier gjid;
  static std::optional<ControlConfirm> read(const Instruction& instruction);
  Draft draft() const;
};
struct ControlReject {
  Codes codes;
  std::optional<std::uint32_t> profile = {};
  static std::optional<ControlReject> read(const Instruction& instruction);
  Draft draft() const;
};

// TASK_REG and, with OPCODE 11, TASK_CHK (5.2.1, 5.2.4). `ctid_octets` is not visible in TASK_CHK: the length of the
// local addresses of the JCP, which receives it (UMSP/A22); 0: unknown.
struct TaskReg {
  TaskId ctid;      // the job's first task
  Identifier gtid;  // the task that opens the session
  TaskId ltid;      // the task that begins
  static std::optional<TaskReg> read(const Instruction& instruction, std::uint8_t ctid_octets = 0,
                                     std::uint8_t ltid_octets = 0);
  Draft draft(bool check = false) const;
};
struct TaskConfirm {
  TaskId ctid;
  static std::optional<TaskConfirm> read(const Instruction& instruction);
  Draft draft() const;
};
struct TaskReject {
  Codes codes;
  static std::optional<TaskReject> read(const Instruction& instruction);
  Draft draft() const;
};

struct VmKind {
  std::uint16_t type = 0;  // 0: a group, whose number is `version` (9)
  std::uint16_t version = 0;
  friend constexpr bool operator==(const VmKind&, const VmKind&) = default;
};

struct SessionOpen {
  VmKind required_vm;
  std::uint32_t required_profile = 0;
  VmKind sender_vm;
  std::uint32_t sender_profile = 0;
  std::uint16_t window = 0;  // blocks of 256 octets
  Identifier gjid;
  TaskId ltid;
  static std::optional<SessionOpen> read(const Instruction& instruction);
  Draft draft() const;
};

struct TaskTerminate {
  Codes codes;
  TaskId ctid;
  static std::optional<TaskTerminate> read(const Instruction& instruction);
  Draft draft() const;
};
struct TaskTerminateInfo {
  Codes codes;
  Identifier gtid;
  static std::optional<TaskTerminateInfo> read(const Instruction& instruction);
  Draft draft() const;
};
struct JobCompleted {
  Codes codes;
  TaskId ctid;
  static std::optional<JobCompleted> read(const Instruction& instruction);
  Draft draft() const;
};
struct JobCompletedInfo {
  std::optional<Codes> codes;  // absent if the operands are a GJID alone (UMSP/A25)
  Identifier gjid;
  static std::optional<JobCompletedInfo> read(const Instruction& instruction);
  Draft draft() const;
};
struct StateReq {
  TaskId ltid;
  static std::optional<StateReq> read(const Instruction& instruction);
  Draft draft() const;
};
// 5.7.3
enum class TaskCondition : std::uint8_t {
  has_sessions = 1,
  no_sessions = 2,
  no_resources = 3,  // and no sessions
  completed = 4,
};
struct TaskState {
  std::uint8_t state = 0;
  TaskId ctid;
  static std::optional<TaskState> read(const Instruction& instruction);
  Draft draft() const;
};
struct NodeReload {
  TaskId ltid;
  static std::optional<NodeReload> read(const Instruction& instruction);
  Draft draft() const;
};
struct ReqBuf {
  std::uint32_t octets = 0;
  static std::optional<ReqBuf> read(const Instruction& instruction);
  Draft draft() const;
};
struct VmReq {
  std::vector<VmKind> vms;
  static std::optional<VmReq> read(const Instruction& instruction);
  Draft draft() const;
};
struct VmNotif {
  std::uint16_t transport = 0;
  std::vector<VmKind> vms;
  static std::optional<VmNotif> read(const Instruction& instruction);
  Draft draft() const;
};

// Extension headers that these have.
OwnedExtension inaction_extension(std::uint16_t half_seconds);
OwnedExtension text_extension(HeadCode head_code, std::string_view text);  // _MSG or _NAME
std::optional<std::uint16_t> inaction_of(const Instruction& instruction);
// Returns the name without the zero octet that makes its length even (UMSP/A18); nothing if it is not ASCII (8.3).
std::optional<std::string_view> name_of(const Instruction& instruction);

}  // namespace wirelaw::umsp
