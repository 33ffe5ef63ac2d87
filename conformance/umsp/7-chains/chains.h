// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_account.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables chain_tables();
// Judges the place of the instruction in its chain, and keeps the account of chains.
void judge_chain(Judge& judge, const Seen& seen);
// Called when the flow ends, for instructions that do not follow from what the flow has carried of their chains.
void judge_orphans(Judge& judge, Connection& connection);
// Keeps a violation until the flow ends. It follows from what this connection has carried of the chain, but another
// connection may carry a part of it, or may have: their order cannot be seen (UMSP/B45).
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
// Judges a rule that is violated if the sender has not sent something of the chain before. A violation if no other
// connection that was seen can have carried it; otherwise a warning.
template <class E, class A>
bool require_of_chain_here(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const OctetRange& where,
                           const Expected<E>& due, const Actual<A>& found) {
  return !holds && seen.session != nullptr && is_all_here(seen.connection, *seen.session)
             ? require_of_chain(judge, seen, rule, false, where, due, found)
             : require_here(judge, seen, rule, holds, where, due, found);
}
// Ends the chains of a datagram when the datagram ends.
void judge_datagram_chains(Judge& judge, Connection& connection);
// The chain has this instruction in fragments, so nothing that waits for it is missing.
void settle_missing(const Seen& seen, std::uint16_t chain_number, std::uint16_t number);

}  // namespace wirelaw::umsp
