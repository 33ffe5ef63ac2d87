// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/chain_account.h"
#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/late_facts.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

// The chain of the instruction, as it was before; nullptr if it is not known, or if another connection may have it.
const ObservedChain* find_chain(const Seen& seen) {
  const auto& chains = seen.session->half(seen.message.sender).chains;
  const auto found = chains.find(seen.membership.chain->chain_number);
  return found == chains.end() ? nullptr : &found->second;
}

// TCP does not order the parts of one chain on two connections.
bool is_elsewhere(const Seen& seen) {
  return has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, seen.membership.chain->chain_number);
}

bool knows_chains(const Seen& seen) {
  return seen.session != nullptr && seen.session->from_start && seen.from().unbroken &&
         !seen.session->half(seen.message.sender).chains_forgotten && !is_elsewhere(seen);
}

}  // namespace

void compare_cancel(const Seen& seen, std::vector<Fact>& claims) {
  const Header& header = seen.header();
  // Other rules report such a fault, and only that.
  if (!seen.layout->length.contains(header.opr_length) || !has_form(seen.operands)) return;
  if (!seen.membership.chain || (header.has_chain_fields() && header.instr_number != 0) || !knows_chains(seen)) return;
  const OctetRange where = seen.field(header.has_chain_fields() ? HeaderField::chain_number : HeaderField::pck);
  const auto state = [&](Claim claim, bool holds, bool is_certain = true) {
    const Fact fact{claim, holds, where, seen.membership.chain->chain_number, 0, is_certain};
    if (!keep_breach(seen, fact)) claims.push_back(fact);
    return holds;
  };
  const ObservedChain* const chain = find_chain(seen);
  const bool is_sent = chain != nullptr && !chain->cancelled;
  if (!state(Claim::cancels_chain_being_sent, is_sent, is_all_here(seen.connection, *seen.session))) return;
  if (chain->kind == ObservedChainKind::unknown) return;
  if (state(Claim::cancels_no_sequence, chain->kind != ObservedChainKind::sequence))
    state(Claim::cancels_unfinished_chain, !chain->ended);
}

void follow_cancel(const Seen& seen, SessionHalf& half, std::uint16_t number) {
  forget_carried(seen, half, number);
  const auto found = half.chains.find(number);
  if (found == half.chains.end()) {
    // Another connection may have the chain, or carry it later: its part of the chain is not judged alone.
    ObservedChain* const chain = add_chain(seen, half, number);
    if (chain != nullptr) *chain = {.complete = false, .cancelled = true, .in_fragments = true};
    return;
  }
  if (is_elsewhere(seen) || found->second.ended || found->second.cancelled) return;
  found->second.cancelled = true;
  remember_finished(seen.connection, half, number);
}

void follow_cancelled(const Seen& seen, FactSink& facts) {
  if (controls_chain(seen.instruction.opcode()) || seen.session == nullptr || !seen.membership.chain) return;
  const ObservedChain* const chain = find_chain(seen);
  if (chain == nullptr || is_elsewhere(seen)) return;
  // The number is in use again, or no instruction of the chain was seen here.
  const std::uint16_t number = seen.membership.chain->instr_number;
  const bool holds = number == 0 || chain->is_unbegun() || !chain->cancelled;
  state_or_keep(seen, facts, {Claim::is_of_uncancelled_chain, holds, {0, seen.header().octets()}, number});
}

}  // namespace wirelaw::umsp
