// SPDX-License-Identifier: Apache-2.0
// What the row of a deviation changes in the response of a virtual machine, and which instructions it refuses.
#pragma once

#include <span>

#include "reference/umsp/execution.h"
#include "reference/umsp/vm/memory.h"
#include "reference/umsp/vm/request.h"

namespace wirelaw::umsp {

// An execution with a response, before that is sent, and the instruction that it answers.
struct Response {
  Execution execution;
  Opcode asked = {};
  bool refused = false;
  bool in_session = true;

  Draft& draft() { return *execution.response; }
  std::uint64_t number() const { return number_of(execution.response->operands); }
};

// `edit` is set with `where`, or `refuses` is set, or nothing is.
struct VmEdit {
  bool (*where)(const Response&) = nullptr;  // the responses that `edit` changes
  void (*edit)(Response&) = nullptr;
  bool (*refuses)(const Request&, const TaskMemory&) = nullptr;  // valid instructions
};
// The edits of all deviations, in the order of the enumeration.
std::span<const VmEdit> vm_edits();

}  // namespace wirelaw::umsp
