// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables search_tables();
// Of the VM that a SESSION_OPEN names in these operands, that its numbers are not the reserved ones.
void judge_vm_of_session(Judge& judge, const Seen& seen, Operand type, Operand version);

}  // namespace wirelaw::umsp
