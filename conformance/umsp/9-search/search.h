// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables search_tables();
// The types of the VMs that a VM_REQ requests, if its answer has to name them. Empty if it has a name, or requests all
// VMs, the VM that works without sessions, or more than a few VMs.
std::vector<std::uint16_t> vm_types_asked(const SeenInstruction& seen);
// Judges that the type and version of the VM in these operands are not the reserved value 65535.
void judge_vm_of(Judge& judge, const SeenInstruction& seen, Operand type, Operand version);

}  // namespace wirelaw::umsp
