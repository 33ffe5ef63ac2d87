// SPDX-License-Identifier: Apache-2.0
// The basic return codes of this virtual machine's responses. RFC 3018 assigns none, except 0 for a positive one (4.1).
#pragma once

#include <cstdint>
#include <string_view>

namespace wirelaw::umsp {

enum class ReturnCode : std::uint16_t {
  done = 0,
  malformed,         // operands or extension headers do not make the instruction
  unsupported,       // the VM does not execute this instruction
  no_task,           // the task does not exist
  bad_address,       // not memory of the task; an abbreviated address without a base; another node's address
  protected_memory,  // may be read and run, but not written or freed
  no_memory,         // the quota or the address space does not allow it
  too_many,          // threads, watched data, or unsent responses and requests
  wrong_vm,          // code or parameters of another VM
  bad_code,          // invalid image or operation
  no_object,         // no object with this number, version, realization or name exists for this task
  no_procedure,      // the object has none of this number or name
  no_name,           // the object has no name, or may not have one
  name_taken,        // another object has this name
  not_owner,         // the object was made by another job, or by none
  zero_session,      // not without a session (5.8)
  exception,         // in a thread: the additional code is the cause, or the number that the thread has raised
  bad_pointer,       // not a 128-bit pointer, or one to a node that was forgotten
  remote,            // the other node has refused, or sent an unexpected response
  no_answer,         // the other node has not answered in time
  out_of_steps,      // the thread has reached its maximum number of operations
};

inline constexpr std::size_t kReturnCodes = static_cast<std::size_t>(ReturnCode::out_of_steps) + 1;

// Why an instruction was refused: the codes of RSP.
struct Refusal {
  ReturnCode basic;
  std::uint16_t additional = 0;
  friend constexpr bool operator==(const Refusal&, const Refusal&) = default;
};

// A readable sentence, as in _MSG.
std::string_view explain(ReturnCode code);

}  // namespace wirelaw::umsp
