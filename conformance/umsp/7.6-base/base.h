// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables base_tables();
// Judges the instructions that set or use the base of the chain.
void judge_base(Judge& judge, const Seen& seen, ObservedChain& chain, bool ends);

}  // namespace wirelaw::umsp
