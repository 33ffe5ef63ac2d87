// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/transactions.h"

#include "conformance/umsp/tracker/chain_account.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

void follow_cancel(const Seen& seen, SessionHalf& half, std::uint16_t number) {
  forget_carried(seen, half, number);
  const auto found = half.chains.find(number);
  if (found == half.chains.end()) {
    // Another connection may have the chain, or carry it later: its part of the chain is not judged alone.
    ObservedChain* const chain = add_chain(seen, half, number);
    if (chain != nullptr) *chain = {.complete = false, .cancelled = true, .in_fragments = true};
    return;
  }
  // TCP does not order the parts of one chain on two connections.
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, number)) return;
  if (found->second.ended || found->second.cancelled) return;
  found->second.cancelled = true;
  remember_finished(seen.connection, half, number);
}

}  // namespace

std::uint64_t transaction_flags(const ExtensionHeader& header) {
  return value_of(locate(header), Operand::transaction_flags, header.data).value_or(kTrr);
}

void note_transaction(const Seen& seen, ObservedChain& chain) {
  if (chain.kind != ObservedChainKind::transaction) return;
  const ExtensionHeader* const header = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::begin_tr));
  chain.execute_later = header != nullptr && (transaction_flags(*header) & kTrr) == 0;
}

std::optional<ControlFact> follow_chain_control(const Seen& seen, SessionHalf& half, std::uint16_t number) {
  if (seen.is(Opcode::snd_cancel)) {
    follow_cancel(seen, half, number);
    return std::nullopt;
  }
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, number)) return std::nullopt;
  const auto found = half.chains.find(number);
  if (found == half.chains.end()) {
    if (!seen.connection.is_all_seen() || half.chains_forgotten) return std::nullopt;
    return ControlFact{.is_known = false};
  }
  ObservedChain& chain = found->second;
  const ControlFact fact{.kind = chain.kind,
                         .has_ended = chain.ended,
                         .is_complete = chain.complete,
                         .in_fragments = chain.in_fragments,
                         .is_revoked = chain.revoked,
                         .is_executed = chain.executed || !chain.execute_later};
  if (!chain.ended || !waits_for_exec(chain)) return fact;
  (seen.is(Opcode::exec_tr) ? chain.executed : chain.revoked) = true;
  remember_finished(seen.connection, half, number);
  return fact;
}

}  // namespace wirelaw::umsp
