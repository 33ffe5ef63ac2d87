// SPDX-License-Identifier: Apache-2.0
// Follows the chains and the sessions between two nodes (RFC 3018 5.3, 5.4, 7), and requests with their responses (4),
// and states facts about them. The functions for one instruction are called in this order.
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Called before anything else.
FactsBefore facts_before(const Seen& seen);
// Compares the instruction with the account of chains, and adds it.
void follow_chain(const Seen& seen, FactSink& facts);
// Ends the chains of a datagram when the datagram ends.
void end_datagram(Connection& connection, FactSink& facts);
// Matches a response with its request, and keeps a request.
void follow_response(const Seen& seen, FactSink& facts);
// Compares the instruction with its session, and updates the session.
void follow_session(const Seen& seen, FactSink& facts);

// Called when something that this side sent is missing: forgets its chains and requests, and the sessions, which may
// differ from the known state.
void forget_what_was_sent(Connection& connection, Side side);

// Called at the end of the flow, for sessions whose closing was accepted.
void state_closed_sessions(const Connection& connection, std::int64_t now_ns, FactSink& facts);

// The GJID or GTID in an operand; empty if the operand is absent or has a flaw.
std::optional<Identifier> identifier_of(const SeenInstruction& seen, Operand operand);

}  // namespace wirelaw::umsp
