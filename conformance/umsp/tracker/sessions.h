// SPDX-License-Identifier: Apache-2.0
// The sessions between two nodes as their instructions show them (RFC 3018 5.3, 5.4), and the effect of the end of the
// flow, or of a gap in it, on the known state.
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Updates the session of the instruction and judges the rules that depend on it.
void follow_session(Judge& judge, const Seen& seen);

// Called when something that this side sent is missing: forgets its chains and requests, and the sessions, which may
// differ from the known state.
void forget_what_was_sent(Connection& connection, Side side);

// Called at the end of the flow: judges instructions that never came.
void judge_at_end(Judge& judge, const Connection& connection);

// The GJID or GTID in an operand; empty if the operand is absent or has a flaw.
std::optional<Identifier> identifier_of(const Seen& seen, Operand operand);

}  // namespace wirelaw::umsp
