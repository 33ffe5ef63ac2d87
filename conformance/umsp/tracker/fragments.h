// SPDX-License-Identifier: Apache-2.0
// Follows fragmented instructions (RFC 3018 7.3).
#pragma once

#include "conformance/umsp/tracker/chain_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

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
// Same for its parental chain, whatever carries the fragments. Empty if it names none, or none that can be.
std::optional<ParentFact> follow_parent(const Seen& seen, SessionHalf& half);
// Called for each instruction of such a chain. `ends`: it is the last one.
FragmentFact follow_fragment(const Seen& seen, ObservedChain& chain, bool ends);

}  // namespace wirelaw::umsp
