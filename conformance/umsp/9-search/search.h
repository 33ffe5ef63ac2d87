// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables search_tables();
// Judges that the type and version of the VM in these operands are not the reserved value 65535.
void judge_vm_of(Judge& judge, const SeenInstruction& seen, Operand type, Operand version);

}  // namespace wirelaw::umsp
