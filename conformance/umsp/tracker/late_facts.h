// SPDX-License-Identifier: Apache-2.0
// Facts that another connection of the two nodes may explain: it may carry a part of the chain, or may have, and TCP
// keeps no order between the two (UMSP/B31, UMSP/B45). A breach is kept until the connection ends.
#pragma once

#include <cstdint>

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Keeps a breach. The message, and what is not set of the session and the chain, are those of the instruction. Returns
// false if too many are kept.
bool keep_fact(const Seen& seen, KeptFact kept);
// For a fact that follows from what this connection has carried of a session. Keeps it, and returns true, if it is a
// breach that is certain unless another connection explains it.
bool keep_breach(const Seen& seen, const Fact& fact);
// Same, but states a fact that is not kept. Returns true if the claim holds.
bool state_or_keep(const Seen& seen, FactSink& facts, const Fact& fact);
// Same, for a claim that does not hold if the sender has not sent something before. A breach is only likely unless no
// other connection that was seen can have carried that.
bool state_or_keep_here(const Seen& seen, FactSink& facts, Fact fact);

// The chain has this instruction in fragments, so nothing that waits for it is missing.
void settle_missing(const Seen& seen, std::uint16_t chain_number, std::uint16_t number);
// Called when the chain has begun on this connection, or has shown its own instruction, which then judges fragments
// that named it before.
void forget_parent(const Seen& seen, std::uint16_t chain_number);

// Called when the flow ends: states the breaches that were kept, unless something has explained them since.
void state_late_facts(Connection& connection, std::int64_t now_ns, FactSink& facts);

}  // namespace wirelaw::umsp
