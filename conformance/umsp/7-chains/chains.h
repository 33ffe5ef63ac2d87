// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables chain_tables();
// What the instruction is of its chain; keeps the account of chains.
void judge_chain(Judge& judge, const Seen& seen);
// At the end of the flow, of instructions whose chain has not shown the one before them.
void judge_orphans(Judge& judge, Connection& connection);
// A datagram has ended: so have its chains.
void judge_datagram_chains(Judge& judge, Connection& connection);
// An extension header has nothing behind what its form says, but zeros up to a border of four octets where one of the
// sides may have asked for that (S20).
bool is_without_more(const Seen& seen, std::size_t index);
// A chain of this side was ended by an instruction about it.
void end_controlled_chain(const Seen& seen, SessionHalf& half, std::uint16_t number);

}  // namespace wirelaw::umsp
