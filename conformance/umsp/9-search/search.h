// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables search_tables();
// The types of the VMs that a VM_REQ asks for, if they say what its answer names: neither a name nor all VMs, nor the
// VM that works without sessions, nor more than a few.
std::vector<std::uint16_t> vm_types_asked(const Seen& seen);
// Of the VM that a SESSION_OPEN names in these operands, that its numbers are not the reserved ones.
void judge_vm_of_session(Judge& judge, const Seen& seen, Operand type, Operand version);

}  // namespace wirelaw::umsp
