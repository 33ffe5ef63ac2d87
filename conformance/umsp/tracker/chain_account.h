// SPDX-License-Identifier: Apache-2.0
// The account of the chains of a session (RFC 3018 7).
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Adds an account of a chain that begins, or is first seen, now; nullptr if too many are kept.
ObservedChain* add_chain(const Seen& seen, SessionHalf& half, std::uint16_t number);
// The fragmented instruction that is due has arrived.
void pass_fragmented(ObservedChain& chain);
// The chain has this instruction in fragments.
void note_fragmented(ObservedChain& chain, std::uint16_t number);
// Returns true if the chain is a transaction that EXEC_TR or CANCEL_TR may still name.
bool waits_for_exec(const ObservedChain& chain);
// A chain has ended, by its last instruction or by one about it, such as SND_CANCEL. It is remembered for a while.
void remember_finished(Connection& connection, SessionHalf& half, std::uint16_t number);

// The numbers of the chain on this connection; nullptr if they are not kept.
CarriedChain* carried_of(const Seen& seen, SessionHalf& half, std::uint16_t number);
// The numbers of this chain are no longer known: one is in fragments, or the chain was cancelled.
void forget_carried(const Seen& seen, SessionHalf& half, std::uint16_t chain_number);

// Returns true if an extension header has nothing after the data of its format, except zeros up to a multiple of four
// octets if one of the sides may have required that (S20).
bool is_without_more(const SeenInstruction& seen, std::size_t index);

}  // namespace wirelaw::umsp
