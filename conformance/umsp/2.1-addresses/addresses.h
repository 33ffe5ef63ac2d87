// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Judges the addresses and identifiers among these operands. `offset` is the place of the operands in the instruction.
// Called for all operands and for data of extension headers that have a format.
void judge_addresses(Judge& judge, const OperandView& view, Octets operands, std::size_t offset);

}  // namespace wirelaw::umsp
