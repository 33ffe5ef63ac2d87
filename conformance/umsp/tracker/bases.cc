// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/late_facts.h"

namespace wirelaw::umsp {
namespace {

// Returns true if the OPCODE shows that the address has 2 octets.
bool has_short_address(const Seen& seen) {
  return seen.is(Opcode::write_2) || seen.is(Opcode::cmp_2);
}

// Returns true if the receiver is a JCP with GJIDs that end in more than 2 octets, so that its memory has longer
// addresses (2.1, 5).
bool has_longer_addresses(const Seen& seen) {
  const auto& format = seen.connection.management.of(seen.message.sender).jcp_format;
  return format && format->memory_octets() > 2;
}

}  // namespace

void follow_base(const Seen& seen, FactSink& facts, ObservedChain& chain, bool ends) {
  const bool is_transaction = chain.kind == ObservedChainKind::transaction;
  if ((!is_transaction && chain.kind != ObservedChainKind::sequence) || !chain.complete) return;
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index) {
    if (seen.instruction.extensions[index].head_code != static_cast<std::uint16_t>(HeadCode::set_mbase)) continue;
    if (is_transaction) state_or_keep(seen, facts, {Claim::sets_first_base, !chain.base_set, seen.extension(index)});
    chain.base_set = true;
  }
  if (chain.in_fragments || !has_longer_addresses(seen)) return;
  // A displacement needs a base: in a sequence before it, in a transaction in any instruction.
  const bool is_short = has_short_address(seen);
  chain.base_needed |= is_short;
  if (is_transaction ? ends && chain.base_needed : is_short)
    state_or_keep(seen, facts, {Claim::has_base, chain.base_set, {0, 1}});
}

}  // namespace wirelaw::umsp
