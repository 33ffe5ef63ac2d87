// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/chain_account.h"
#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/late_facts.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

// EXEC_TR or CANCEL_TR names a chain that this side has sent.
void follow_named(const Seen& seen, FactSink& facts, const ObservedChain& chain, OctetRange where) {
  const bool is_sequence = chain.kind == ObservedChainKind::sequence;
  const bool is_of_fragments = chain.kind == ObservedChainKind::fragments;
  const bool holds = !is_sequence && !is_of_fragments;
  // If that chain has ended, or a part of it is elsewhere, the number may be in use again on another connection.
  const bool is_certain = holds || (!chain.ended && chain.complete);
  const Claim claim = is_of_fragments ? Claim::names_no_fragments : Claim::names_no_sequence;
  if (state_or_keep(seen, facts, {claim, holds, where, 0, 0, is_certain}) &&
      chain.kind == ObservedChainKind::transaction)
    state_or_keep_here(seen, facts, {Claim::names_whole_transaction, chain.ended || chain.in_fragments, where});
}

// A transaction that CANCEL_TR has deleted can no longer be executed (7.2.3). Nothing forbids executing a transaction
// twice, or cancelling one after its execution, which has no effect (7.2): UMSP/B46.
void follow_over(const Seen& seen, FactSink& facts, const ObservedChain& chain) {
  if (chain.kind != ObservedChainKind::transaction || !chain.complete || !chain.ended) return;
  const bool executes = seen.is(Opcode::exec_tr);
  const OctetRange where = seen.field(seen.header().has_chain_fields() ? HeaderField::chain_number : HeaderField::pck);
  if (executes || chain.revoked)
    state_or_keep(seen, facts, {Claim::names_uncancelled, !chain.revoked, where, 0, 0, executes});
  const bool is_executed = chain.executed || !chain.execute_later;  // with TRR 1, it is executed at its end
  if (is_executed) facts.state({Claim::names_unexecuted, false, where, 0, 0, kLikely});
}

}  // namespace

std::uint64_t transaction_flags(const ExtensionHeader& header) {
  return value_of(locate(header), Operand::transaction_flags, header.data).value_or(kTrr);
}

void note_transaction(const Seen& seen, ObservedChain& chain) {
  if (chain.kind != ObservedChainKind::transaction) return;
  const ExtensionHeader* const header = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::begin_tr));
  const std::uint64_t flags = header != nullptr ? transaction_flags(*header) : kTrr;
  chain.execute_later = (flags & kTrr) == 0;
  chain.executes_late = (flags & kTre) != 0;
}

void follow_chain_control(const Seen& seen, FactSink& facts, SessionHalf& half, std::uint16_t number) {
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, number)) return;
  const OctetRange where = seen.field(HeaderField::chain_number);
  const auto found = half.chains.find(number);
  if (found == half.chains.end()) {
    if (seen.connection.is_all_seen() && !half.chains_forgotten)
      state_or_keep_here(seen, facts, {Claim::names_sent_transaction, false, where, number});
    return;
  }
  ObservedChain& chain = found->second;
  follow_named(seen, facts, chain, where);
  follow_over(seen, facts, chain);
  if (!chain.ended || !waits_for_exec(chain)) return;
  (seen.is(Opcode::exec_tr) ? chain.executed : chain.revoked) = true;
  remember_finished(seen.connection, half, number);
}

}  // namespace wirelaw::umsp
