// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "conformance/umsp/tracker/chain_account.h"
#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/follow.h"
#include "conformance/umsp/tracker/late_facts.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

std::optional<ObservedChainKind> kind_of(const ExtensionHeader& header) {
  if (header.head_code == static_cast<std::uint16_t>(HeadCode::begin_sq)) return ObservedChainKind::sequence;
  if (header.head_code == static_cast<std::uint16_t>(HeadCode::begin_tr)) return ObservedChainKind::transaction;
  if (header.head_code == static_cast<std::uint16_t>(HeadCode::begin_frg)) return ObservedChainKind::fragments;
  return std::nullopt;
}

LinkFact link_of(const Seen& seen) {
  LinkFact link{.place = *seen.membership.chain};
  const auto& extensions = seen.instruction.extensions;
  for (std::size_t index = 0; index < extensions.size(); ++index) {
    if (extensions[index].head_code == static_cast<std::uint16_t>(HeadCode::end_chain)) link.ends = true;
    const auto kind = kind_of(extensions[index]);
    if (!kind || link.begins++ > 0) continue;
    link.begin = index;
    link.kind = *kind;
  }
  return link;
}

ObservedChain* begin_chain(const Seen& seen, FactSink& facts, SessionHalf& half, const LinkFact& link) {
  const auto before = half.chains.find(link.place.chain_number);
  // Its last instruction may have come in fragments, and so may later instructions of the chain that begins.
  const bool is_unknown = before == half.chains.end();
  const bool is_free = is_unknown || before->second.ended || before->second.cancelled || before->second.in_fragments;
  std::set<std::uint16_t> fragmented;
  if (!is_unknown && before->second.is_unbegun()) fragmented = std::move(before->second.fragmented);
  const OctetRange where = seen.field(HeaderField::chain_number);
  state_or_keep_here(seen, facts, {Claim::begins_free_number, is_free, where, link.place.chain_number});
  ObservedChain* const chain = add_chain(seen, half, link.place.chain_number);
  if (chain == nullptr) return nullptr;
  forget_parent(seen, link.place.chain_number);
  chain->kind = link.kind;
  chain->from_start = true;
  chain->asked = seen.header().ask;
  chain->index = seen.message.index;
  chain->begun_ns = seen.message.time_ns;
  chain->next = 1;
  if (fragmented.empty()) return chain;
  chain->complete = false;
  chain->in_fragments = true;
  chain->fragmented = std::move(fragmented);
  pass_fragmented(*chain);
  return chain;
}

Fact fact_of_number(const Seen& seen, Claim claim, bool holds, std::uint64_t due, bool is_certain = true) {
  const std::uint16_t number = seen.membership.chain->instr_number;
  return {claim, holds, seen.field(HeaderField::instr_number), number, due, is_certain};
}

// Earlier instructions of the chain are missing, from number `due` on. Section 7 numbers the instructions of a chain,
// but only one connection keeps their order: a later connection may still carry them (UMSP/B45).
void follow_gap(const Seen& seen, FactSink& facts, std::uint32_t due, const std::set<std::uint16_t>& fragmented) {
  if (!is_all_seen(seen.connection, *seen.session)) {
    facts.state(fact_of_number(seen, Claim::has_next_number, false, due, kLikely));
    return;
  }
  KeptFact kept{.fact = fact_of_number(seen, Claim::follows_all_numbers, false, due)};
  for (std::uint32_t number = due; number < kept.fact.got; ++number)
    kept.missing += fragmented.contains(static_cast<std::uint16_t>(number)) ? 0 : 1;
  keep_fact(seen, std::move(kept));
}

// Adds a chain whose first instruction was not on this connection.
ObservedChain* join_chain(const Seen& seen, FactSink& facts, SessionHalf& half, const LinkFact& link) {
  // A case does not know all connections of the two nodes.
  const bool is_known = seen.connection.pair != nullptr && seen.connection.is_all_seen();
  const auto before = half.chains.find(link.place.chain_number);
  const bool in_fragments = before != half.chains.end();
  std::set<std::uint16_t> fragmented;
  if (in_fragments) fragmented = std::move(before->second.fragmented);
  if (is_known && seen.session->from_start && !half.chains_forgotten) follow_gap(seen, facts, 0, fragmented);
  ObservedChain* const chain = add_chain(seen, half, link.place.chain_number);
  if (chain == nullptr) return nullptr;
  chain->complete = false;
  chain->in_fragments = in_fragments;
  if (in_fragments) forget_parent(seen, link.place.chain_number);
  chain->next = link.place.instr_number + 1u;
  chain->fragmented = std::move(fragmented);
  pass_fragmented(*chain);
  return chain;
}

ObservedChain* continue_chain(const Seen& seen, FactSink& facts, SessionHalf& half, const LinkFact& link) {
  const auto found = half.chains.find(link.place.chain_number);
  if (found == half.chains.end() || found->second.is_unbegun()) return join_chain(seen, facts, half, link);
  ObservedChain& chain = found->second;
  if (chain.cancelled) return nullptr;
  if (chain.ended && is_all_seen(seen.connection, *seen.session))
    keep_fact(seen, {.fact = fact_of_number(seen, Claim::is_last_before_end, false, 0)});
  else
    facts.state(fact_of_number(seen, Claim::is_before_end, !chain.ended, 0, !chain.ended));
  if (chain.ended) return nullptr;
  const std::uint32_t number = link.place.instr_number;
  // If all of the chain was on this connection, it is certainly one chain.
  const bool again = number + 1 == chain.next && chain.complete;
  if (!state_or_keep(seen, facts, fact_of_number(seen, Claim::has_new_number, !again, chain.next))) return nullptr;
  if (number != chain.next) {
    follow_gap(seen, facts, chain.next, chain.fragmented);
    chain.complete = false;
  } else {
    facts.state(fact_of_number(seen, Claim::has_next_number, true, chain.next));
  }
  chain.next = std::max(chain.next, number + 1);
  pass_fragmented(chain);
  return &chain;
}

// Another connection may have carried a part of the chain. TCP does not order the two, so only its presence on this
// connection is noted.
void note_shared_chain(const Seen& seen, SessionHalf& half, const LinkFact& link) {
  const auto found = half.chains.find(link.place.chain_number);
  ObservedChain* const chain =
      found != half.chains.end() ? &found->second : add_chain(seen, half, link.place.chain_number);
  if (chain != nullptr) *chain = {.complete = false};
}

void follow_link(const Seen& seen, FactSink& facts, SessionHalf& half, const LinkFact& link) {
  note_carried(seen, half, link);
  // The session may have ended on another connection while this instruction was on its way (UMSP/B45).
  if (!seen.session->is_in_use() ||
      has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, link.place.chain_number))
    return note_shared_chain(seen, half, link);
  ObservedChain* const chain =
      link.is_first() ? begin_chain(seen, facts, half, link) : continue_chain(seen, facts, half, link);
  if (chain == nullptr) return;
  chain->octets += seen.instruction.octets();
  if (link.is_first()) {
    note_transaction(seen, *chain);
    note_fragments(seen, *chain);
    follow_buffer_begin(seen, facts, half, *chain);
  }
  follow_base(seen, facts, *chain, link.ends);
  if (chain->kind == ObservedChainKind::fragments && !follow_fragment(seen, facts, *chain, link.ends)) return;
  follow_window(seen, facts, *chain);
  if (!link.ends) return;
  chain->ended = true;
  chain->fragment_head = {};
  follow_buffer_end(seen, facts, *chain);
  if (!waits_for_exec(*chain)) remember_finished(seen.connection, half, link.place.chain_number);
}

// Headers of the instruction contradict each other, or its number. Only that number is known of its chain.
void pass_number(const Seen& seen, SessionHalf& half, const LinkFact& link) {
  note_carried(seen, half, link);
  const auto found = half.chains.find(link.place.chain_number);
  const bool goes_on = found != half.chains.end() && !link.is_first() && !found->second.ended;
  ObservedChain* const chain = goes_on ? &found->second : add_chain(seen, half, link.place.chain_number);
  if (chain == nullptr) return;
  chain->complete = false;
  chain->next = std::max(chain->next, link.place.instr_number + std::uint32_t{1});
  if (!link.ends) return;
  chain->ended = true;
  remember_finished(seen.connection, half, link.place.chain_number);
}

void follow_in_datagram(const Seen& seen, FactSink& facts, const LinkFact& link) {
  auto& chains = seen.connection.datagram_chains;
  const auto [found, added] =
      chains.try_emplace({seen.membership.session_id.value_or(kZeroSession), link.place.chain_number}, false);
  const bool began_elsewhere = added && !link.is_first();
  if (began_elsewhere) facts.state(fact_of_number(seen, Claim::begins_in_datagram, false, 0));
  if (began_elsewhere || link.ends) found->second = true;
}

}  // namespace

void follow_chain(const Seen& seen, FactSink& facts) {
  follow_cancelled(seen, facts);
  if (!seen.membership.chain || seen.membership.flaw) return;
  if (seen.layout != nullptr && !seen.layout->allows_chn(true)) return;  // CHN itself is the fault
  SessionHalf* const half = seen.session != nullptr ? &seen.session->half(seen.message.sender) : nullptr;
  if (controls_chain(seen.instruction.opcode())) {
    if (half == nullptr || !seen.session->is_in_use()) return;
    const std::uint16_t number = seen.membership.chain->chain_number;
    return seen.is(Opcode::snd_cancel) ? follow_cancel(seen, *half, number)
                                       : follow_chain_control(seen, facts, *half, number);
  }
  const LinkFact link = link_of(seen);
  if (seen.connection.datagrams) follow_in_datagram(seen, facts, link);
  facts.state(link);
  if (half == nullptr) return;
  if (!link.is_usable()) return pass_number(seen, *half, link);
  if (link.is_first() && link.kind == ObservedChainKind::fragments) follow_parent(seen, facts, *half);
  follow_link(seen, facts, *half, link);
}

void end_datagram(Connection& connection, FactSink& facts) {
  if (connection.datagram_chains.empty()) return;
  const bool all_end = std::ranges::all_of(connection.datagram_chains, [](const auto& one) { return one.second; });
  facts.state({Claim::ends_in_datagram, all_end, {0, 2}});
  connection.datagram_chains.clear();
}

}  // namespace wirelaw::umsp
