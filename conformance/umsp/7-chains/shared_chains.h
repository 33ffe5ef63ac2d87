// SPDX-License-Identifier: Apache-2.0
// Chains whose instructions go over several connections (RFC 3018 7, UMSP/B45). TCP orders nothing between two
// connections, so that order proves nothing. What all of them have carried together proves something when nothing more
// can come: a number that a chain has twice, one that none of them has, one above that of _END_CHAIN, and a chain that
// begins again without an end.
#pragma once

#include "conformance/umsp/7-chains/chains.h"

namespace wirelaw::umsp {

// Notes the number of the instruction for its chain on this connection, and what may be wrong with it; called for each
// instruction of a chain, wherever the chain has been seen.
void note_carried(Judge& judge, const Seen& seen, SessionHalf& half, bool begins, bool ends);
// The numbers of this chain are not known any more: one is in fragments, or the chain was cancelled.
void forget_carried(const Seen& seen, SessionHalf& half, std::uint16_t chain_number);
// Reports a breach that a connection has kept, if nothing that another one has brought since then explains it.
void judge_carried(Judge& judge, const Connection& connection, const ObservedSession& session,
                   const OrphanInstruction& breach);

}  // namespace wirelaw::umsp
