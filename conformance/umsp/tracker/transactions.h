// SPDX-License-Identifier: Apache-2.0
// Follows transactions, and the instructions about them (RFC 3018 7.2).
#pragma once

#include "conformance/umsp/tracker/chain_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

inline constexpr std::uint64_t kTrr = 0x40;  // in the flags of _BEGIN_TR (7.2.1)
// The first octet of _BEGIN_TR's DATA.
std::uint64_t transaction_flags(const ExtensionHeader& header);

// Notes what the first instruction of a transaction declares.
void note_transaction(const Seen& seen, ObservedChain& chain);
// Follows EXEC_TR, CANCEL_TR or SND_CANCEL for a chain of its sender. Empty for SND_CANCEL, and if another connection
// may have the chain.
std::optional<ControlFact> follow_chain_control(const Seen& seen, SessionHalf& half, std::uint16_t number);

}  // namespace wirelaw::umsp
