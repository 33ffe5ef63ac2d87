// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables closing_tables();
// The rule for the SESSION_ID of the instruction.
const Rule* names_closing_rule(Opcode opcode);

}  // namespace wirelaw::umsp
