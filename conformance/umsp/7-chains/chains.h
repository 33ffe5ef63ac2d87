// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables chain_tables();
// What the instruction is of its chain; keeps the account of chains.
void judge_chain(Judge& judge, const Seen& seen);
// At the end of the flow, of instructions that do not follow from what it has carried of their chains.
void judge_orphans(Judge& judge, Connection& connection);
// A breach by what the connection has carried of the instruction's chain. It is kept until the flow ends, as another
// connection may carry a part of the chain, or may have: that is not seen in order (UMSP/B45).
void keep_breach_of_chain(Judge& judge, const Seen& seen, OrphanInstruction breach, const OctetRange& where);
template <class E, class A>
bool require_of_chain(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const OctetRange& where,
                      const Expected<E>& due, const Actual<A>& found, std::string_view why, Evidence evidence) {
  if (holds || seen.connection.pair == nullptr || seen.session == nullptr)
    return judge.require(rule, holds, where, due, found, why, evidence);
  keep_breach_of_chain(
      judge, seen,
      {.rule = &rule, .evidence = evidence, .expected = say(due.value), .actual = say(found.value), .why = say(why)},
      where);
  return false;
}
template <class E, class A>
bool require_of_chain(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const OctetRange& where,
                      const Expected<E>& due, const Actual<A>& found, std::string_view why = {}) {
  return require_of_chain(judge, seen, rule, holds, where, due, found, why, rule.evidence);
}
// A rule that is broken if the sender has not sent something of the chain before: likewise, if that can be on no other
// connection that has been seen; a warning otherwise.
template <class E, class A>
bool require_of_chain_here(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const OctetRange& where,
                           const Expected<E>& due, const Actual<A>& found) {
  return !holds && seen.session != nullptr && is_all_here(seen.connection, *seen.session)
             ? require_of_chain(judge, seen, rule, false, where, due, found)
             : require_here(judge, seen, rule, holds, where, due, found);
}
// A datagram has ended: so have its chains.
void judge_datagram_chains(Judge& judge, Connection& connection);
// An account of a chain that begins, or is first seen, now; nullptr if too many are kept.
ObservedChain* add_chain(const Seen& seen, SessionHalf& half, std::uint16_t number);
// The chain has this instruction in fragments: none is missing that waits for it.
void note_fragmented(const Seen& seen, ObservedChain& chain, std::uint16_t chain_number, std::uint16_t number);
// An extension header has nothing behind what its form says, but zeros up to a border of four octets where one of the
// sides may have asked for that (S20).
bool is_without_more(const Seen& seen, std::size_t index);
// A chain of this side was ended by an instruction about it.
void end_controlled_chain(const Seen& seen, SessionHalf& half, std::uint16_t number);

}  // namespace wirelaw::umsp
