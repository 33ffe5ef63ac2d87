// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables object_tables();
// An answer in the zero-session that lets an object of range IV be reached.
void judge_reached(Judge& judge, const SeenInstruction& seen, const Asked& asked);
// Number, version and realization of the object in any instruction. False: the number is one of none.
bool judge_object(Judge& judge, const SeenInstruction& seen);

}  // namespace wirelaw::umsp
