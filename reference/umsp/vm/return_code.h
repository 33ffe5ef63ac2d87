// SPDX-License-Identifier: Apache-2.0
// The basic return codes of this virtual machine's responses. RFC 3018 assigns none, save that 0 is of a positive one
// (4.1): these are its own.
#pragma once

#include <cstdint>
#include <string_view>

namespace wirelaw::umsp {

enum class ReturnCode : std::uint16_t {
  done = 0,
  malformed,         // operands or extension headers do not make the instruction
  unsupported,       // no instruction that this VM executes
  no_task,           // the task is not there
  bad_address,       // no memory of the task; an abbreviated address without a base; another node's
  protected_memory,  // it can be read and run, and not be written or freed
  no_memory,         // the quota or the address space does not allow it
  too_many,          // threads, watched data, or what waits to be sent
  wrong_vm,          // code or parameters of a VM that is not this one
  bad_code,          // the image or the instruction is none
  no_object,         // none of this number, version, realization or name is there for this task
  no_procedure,      // the object has none of this number or name
  no_name,           // the object has none, or may not have one
  name_taken,        // another object has it
  not_owner,         // another job has made the object, or none
  zero_session,      // not without a session (5.8)
  exception,         // in a thread: the additional code is the cause, or what the thread has raised
  bad_pointer,       // no 128-bit pointer, or one of a node that was forgotten
  remote,            // the other node has refused, or has answered something else
  no_answer,         // nothing came from the other node in time
  out_of_steps,      // the thread has run for as long as it may
};

inline constexpr std::size_t kReturnCodes = static_cast<std::size_t>(ReturnCode::out_of_steps) + 1;

// Why something was not done: the codes of RSP.
struct Refusal {
  ReturnCode basic;
  std::uint16_t additional = 0;
  friend constexpr bool operator==(const Refusal&, const Refusal&) = default;
};

// A readable sentence, as in _MSG.
std::string_view explain(ReturnCode code);

}  // namespace wirelaw::umsp
