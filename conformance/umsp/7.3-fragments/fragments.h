// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables fragment_tables();
// Notes what the first instruction of a chain of fragments declares.
void note_fragments(const Seen& seen, ObservedChain& chain);
// Same for its parental chain, whatever carries the fragments.
void note_parent(Judge& judge, const Seen& seen, SessionHalf& half);
// Called when the chain has begun on this connection, or has shown its own instruction, which then judges fragments
// that named it before.
void forget_parent(const Seen& seen, std::uint16_t chain_number);
// Judges each instruction of such a chain. Returns true if it can be a fragment.
bool judge_fragment(Judge& judge, const Seen& seen, ObservedChain& chain, bool ends);

}  // namespace wirelaw::umsp
