// SPDX-License-Identifier: Apache-2.0
// Follows what belongs to chains (RFC 3018 7): transactions, fragments, buffers, bases, and SND_CANCEL.
#pragma once

#include <optional>
#include <vector>

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// --- transactions (7.2)
inline constexpr std::uint64_t kTre = 0x80, kTrr = 0x40;  // in the flags of _BEGIN_TR (7.2.1)
// The first octet of _BEGIN_TR's DATA.
std::uint64_t transaction_flags(const ExtensionHeader& header);

// Notes what the first instruction of a transaction declares.
void note_transaction(const Seen& seen, ObservedChain& chain);
// Follows EXEC_TR or CANCEL_TR for a chain of its sender.
void follow_chain_control(const Seen& seen, FactSink& facts, SessionHalf& half, std::uint16_t number);

// --- fragmented instructions (7.3)
struct Parent {
  std::uint16_t chain_number;
  std::uint16_t instr_number;
};
// The parental chain that _BEGIN_FRG names; empty if it names none.
std::optional<Parent> parent_of(const ExtensionHeader& header);

constexpr std::uint64_t in_words(std::uint64_t octets) {
  return (octets + 3) / 4 * 4;
}

// Notes what the first instruction of a chain of fragments declares.
void note_fragments(const Seen& seen, ObservedChain& chain);
// Same for its parental chain, whatever carries the fragments.
void follow_parent(const Seen& seen, FactSink& facts, SessionHalf& half);
// Called for each instruction of such a chain. `ends`: it is the last one. Returns false for an instruction that is no
// fragment.
bool follow_fragment(const Seen& seen, FactSink& facts, ObservedChain& chain, bool ends);
// States if the parental chain that an extension header names may be one, before the instruction begins its own chain.
std::optional<Fact> follow_parent_number(const Seen& seen, std::size_t index);

// --- the buffers of chains until they are complete, and the windows (7.4)
// Called for the first instruction of a chain.
void follow_buffer_begin(const Seen& seen, FactSink& facts, SessionHalf& half, ObservedChain& chain);
// Called for each instruction of a chain.
void follow_window(const Seen& seen, FactSink& facts, ObservedChain& chain);
// Called for the last instruction of a chain.
void follow_buffer_end(const Seen& seen, FactSink& facts, const ObservedChain& chain);
// Tracks REQ_BUF and its answers. Returns true if the instruction is such an answer.
bool follow_buffers(const Seen& seen, ObservedSession& session);

// --- bases (7.6)
// Called for each instruction of a chain. `ends`: it is the last one.
void follow_base(const Seen& seen, FactSink& facts, ObservedChain& chain, bool ends);

// --- SND_CANCEL (4.2)
// Compares SND_CANCEL with the chain that it names, as it was before.
void compare_cancel(const Seen& seen, std::vector<Fact>& claims);
// Cancels the chain.
void follow_cancel(const Seen& seen, SessionHalf& half, std::uint16_t number);
// After SND_CANCEL, no more instructions of the chain may come. Call this before the account of chains takes the
// instruction.
void follow_cancelled(const Seen& seen, FactSink& facts);

// --- several connections
// Chains whose instructions use several connections (RFC 3018 7, UMSP/B45). TCP does not order two connections, so the
// order proves nothing. All instructions together prove a breach once no more can come: a number that a chain has
// twice, a missing number, one above that of _END_CHAIN, and a chain that begins again without an end.
// Notes the number of the instruction for its chain on this connection, and possible breaches. Called for each
// instruction of a chain, on any connection.
void note_carried(const Seen& seen, SessionHalf& half, const LinkFact& link);
// Nothing that another connection has carried since then explains the breach.
bool is_still_broken(const Connection& connection, const ObservedSession& session, const KeptFact& kept);

}  // namespace wirelaw::umsp
