// SPDX-License-Identifier: Apache-2.0
// The operands of UMSP's instructions and the data of its extension headers: one name and one meaning each, in all
// instructions. The document describes most of them without naming them; the names here use its words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wirelaw::umsp {

enum class Operand : std::uint8_t {
  // codes
  basic_return_code,
  additional_return_code,
  basic_error_code,
  additional_error_code,
  basic_termination_code,
  additional_termination_code,
  basic_completion_code,
  additional_completion_code,
  // jobs, tasks, sessions
  control_profile,
  ltid,
  ctid,
  gjid,
  gtid,
  required_vm_type,
  required_vm_version,
  required_profile,
  sender_vm_type,
  sender_vm_version,
  sender_profile,
  window,
  state,
  reserved,
  buffer_size,
  // VM
  transport,
  vm_type,  // in a list, or the addressee's
  vm_version,
  // memory
  length,
  memory_address,
  data,
  zero,
  data_length,
  parameters_length,
  parameters,
  memory_size,
  code,
  initial_data,
  mask,
  // objects
  object_number,
  object_version,
  object_realization,
  offset,
  procedure_number,
  // extension headers
  inaction_period,
  transaction_flags,
  time_tr,
  parent_chain_number,
  parent_instr_number,
  memory_base,
  alignment,
  text,
  name,
  life_time,
};
inline constexpr std::size_t kOperands = static_cast<std::size_t>(Operand::life_time) + 1;

// How dissectors and mutators interpret and show an operand.
enum class OperandKind : std::uint8_t {
  number,      // a count, a length or an interval: decimal
  code,        // hexadecimal
  flags,       // bits with names
  address,     // memory, an offset, or a task: hexadecimal; sixteen octets are an Address
  identifier,  // a GJID or GTID
  octets,      // octets in wire order
  text,        // ASCII
  reserved,    // zero when sent
};

// Bits of an operand, numbered from its most significant one.
struct BitRow {
  std::uint8_t first;
  std::uint8_t width;
  std::string_view name;  // the document's in lower case: "job_life_time", "s0"
  std::string_view text;  // its meaning
};

struct OperandInfo {
  Operand operand;
  std::string_view name;  // after "umsp.": "basic_return_code"
  OperandKind kind;
  std::string_view text;  // its kind
  std::span<const BitRow> bits = {};
};

std::span<const OperandInfo> all_operands();
const OperandInfo& describe(Operand operand);

}  // namespace wirelaw::umsp
