// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables fragment_tables();
// What its first instruction says of a chain of fragments.
void note_fragments(const Seen& seen, ObservedChain& chain);
// Likewise of its parental chain, whatever carries the fragments.
void note_parent(Judge& judge, const Seen& seen, SessionHalf& half);
// The chain has begun on this connection, or has shown an instruction of its own: fragments that named it before are
// judged by that.
void forget_parent(const Seen& seen, std::uint16_t chain_number);
// Of each instruction of such a chain; gives whether it can be one.
bool judge_fragment(Judge& judge, const Seen& seen, ObservedChain& chain, bool ends);

}  // namespace wirelaw::umsp
