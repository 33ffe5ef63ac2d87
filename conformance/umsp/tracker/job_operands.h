// SPDX-License-Identifier: Apache-2.0
// The operands and extension headers of job management (RFC 3018 5). A value is empty if the operands have a flaw,
// because it may be wrong then.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

std::optional<std::uint64_t> certain_value(const SeenInstruction& seen, Operand operand);
std::optional<Identifier> certain_gjid(const SeenInstruction& seen);
std::optional<Identifier> certain_gtid(const SeenInstruction& seen);

// CONTROL_REJECT may have the OPCODE of CONTROL_CONFIRM; the operands show which one it is (UMSP/A1).
inline bool is_control_confirm(const SeenInstruction& seen) {
  return seen.layout != nullptr && seen.layout->opcode == Opcode::control_confirm;
}
inline bool is_control_reject(const SeenInstruction& seen) {
  return seen.layout != nullptr && seen.layout->opcode == Opcode::control_reject;
}

// The index of the extension header _INACTION_TIME.
std::optional<std::size_t> find_inaction_time(const SeenInstruction& seen);
// Its period, in half seconds; empty if the header is absent or has other data.
std::optional<std::uint16_t> period_of(const SeenInstruction& seen);

// The name of a job in _NAME (UMSP/A18, UMSP/A35); empty if there is none.
std::optional<std::string> job_name_of(const SeenInstruction& seen);

// The codes of TASK_TERMINATE and its notice, of JOB_COMPLETED and its notice; empty if there are none.
std::optional<EndCodes> end_codes_of(const SeenInstruction& seen);
std::string to_string(const EndCodes& codes);

}  // namespace wirelaw::umsp
