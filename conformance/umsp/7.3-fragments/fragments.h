// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_facts.h"

namespace wirelaw::umsp {

SectionTables fragment_tables();
// Checks the parental chain that fragments name.
void check_parent(Judge& judge, const Seen& seen, const ParentFact& fact);
// Called when the chain has begun on this connection, or has shown its own instruction, which then judges fragments
// that named it before.
void forget_parent(const Seen& seen, std::uint16_t chain_number);
// Checks each instruction of a chain of fragments.
void check_fragment(Judge& judge, const Seen& seen, const FragmentFact& fact);

}  // namespace wirelaw::umsp
