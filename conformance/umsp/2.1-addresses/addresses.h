// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// The addresses and identifiers among these operands, which lie at `offset` of the instruction. Called for all operands
// and data of extension headers that have a form.
void judge_addresses(Judge& judge, const OperandView& view, Octets operands, std::size_t offset);

}  // namespace wirelaw::umsp
