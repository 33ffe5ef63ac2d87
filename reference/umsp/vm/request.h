// SPDX-License-Identifier: Apache-2.0
// An instruction for the VM with its operands in their places. They have been interpreted, and checked as far as that
// does not depend on the instruction's purpose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reference/umsp/execution.h"
#include "reference/umsp/operands.h"
#include "reference/umsp/vm/code.h"
#include "reference/umsp/vm/object.h"

namespace wirelaw::umsp {

struct Request {
  const Instruction& instruction;
  const Circumstances& at;
  OperandView view;
  std::uint64_t task = 0;
  std::uint64_t address = 0;  // complete memory address
  std::uint64_t offset = 0;   // in an object
  std::uint64_t length = 0;   // requested, or to be allocated
  Octets data = {};           // data, code, parameters or initial data, from operands or _DATA
  Octets mask = {};
  WordOrder order = WordOrder::most_first;  // order in parameters
  const Object* object = nullptr;
  ObjectVersion version = {};
  std::string name = {};  // from _NAME

  bool is(Opcode first, Opcode last) const {
    return instruction.opcode() >= static_cast<std::uint8_t>(first) &&
           instruction.opcode() <= static_cast<std::uint8_t>(last);
  }
  bool is(Opcode code) const { return is(code, code); }
  Octets field(Operand operand) const {
    const Located* located = view.find(operand);
    return located == nullptr ? Octets{} : octets_of(*located, instruction.operands);
  }
  std::uint64_t value(Operand operand) const { return number_of(field(operand)); }
  bool has(Operand operand) const { return view.find(operand) != nullptr; }
};

}  // namespace wirelaw::umsp
