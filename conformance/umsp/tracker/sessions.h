// SPDX-License-Identifier: Apache-2.0
// The sessions between two nodes as their instructions show them (RFC 3018 5.3, 5.4), and what the end of the flow, or
// a gap in it, makes of what is known.
#pragma once

#include "conformance/umsp/6-exchange/exchange.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// What the instruction makes of its session; judges what depends on it.
void follow_session(Judge& judge, const Seen& seen);

// Something of what this side sent is missing: its chains and requests, and the sessions, may be other than they seem.
void forget_what_was_sent(Connection& connection, Side side);

// The flow has ended: judges what never came.
void judge_at_end(Judge& judge, const Connection& connection);

// The GJID or GTID in an operand; nothing where it is not there, or has a flaw.
std::optional<Identifier> identifier_of(const Seen& seen, Operand operand);

}  // namespace wirelaw::umsp
