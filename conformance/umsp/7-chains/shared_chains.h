// SPDX-License-Identifier: Apache-2.0
// Chains whose instructions use several connections (RFC 3018 7, UMSP/B45). TCP does not order two connections, so the
// order proves nothing. All instructions together prove a breach once no more can come: a number that a chain has
// twice, a missing number, one above that of _END_CHAIN, and a chain that begins again without an end.
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/tracker/chain_account.h"

namespace wirelaw::umsp {

// Notes the number of the instruction for its chain on this connection, and possible faults of it. Called for each
// instruction of a chain, on any connection.
void note_carried(Judge& judge, const Seen& seen, SessionHalf& half, bool begins, bool ends);
// Reports a violation that a connection has kept, unless something that another one has carried since then explains it.
void judge_carried(Judge& judge, const Connection& connection, const ObservedSession& session,
                   const OrphanInstruction& breach);

}  // namespace wirelaw::umsp
