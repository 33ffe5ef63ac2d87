// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/bases.h"

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

BaseFact follow_base(const Seen& seen, ObservedChain& chain, bool ends) {
  const bool is_transaction = chain.kind == ObservedChainKind::transaction;
  if ((!is_transaction && chain.kind != ObservedChainKind::sequence) || !chain.complete) return {};
  BaseFact fact;
  if (is_transaction) fact.had_base = chain.base_set;
  chain.base_set |= seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::set_mbase)) != nullptr;
  if (chain.in_fragments || !has_longer_addresses(seen)) return fact;
  // A displacement needs a base: in a sequence before it, in a transaction in any instruction.
  const bool is_short = has_short_address(seen);
  chain.base_needed |= is_short;
  if (is_transaction ? ends && chain.base_needed : is_short) fact.has_base = chain.base_set;
  return fact;
}

}  // namespace wirelaw::umsp
