// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables fragment_tables();
// What its first instruction says of a chain of fragments, and of its parental chain.
void note_fragments(const Seen& seen, SessionHalf& half, ObservedChain& chain);
// Of each instruction of such a chain; gives whether it can be one.
bool judge_fragment(Judge& judge, const Seen& seen, ObservedChain& chain, bool ends);

}  // namespace wirelaw::umsp
