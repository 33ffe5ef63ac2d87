// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables common_extension_tables();
// Judges the extension headers of a fragmented instruction by its first fragment.
void judge_first_fragment(Judge& judge, const SeenInstruction& seen);

}  // namespace wirelaw::umsp
