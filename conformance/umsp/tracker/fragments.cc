// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/umsp/tracker/chain_account.h"
#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/late_facts.h"

namespace wirelaw::umsp {
namespace {

// The number of octets kept of a fragmented instruction: its header, and usually the heads of its extension headers.
constexpr std::size_t kMostHead = 256;
constexpr Limits kLimits{.octets = ~std::uint64_t{0}, .extension_headers = 64};
constexpr std::uint16_t kLastReserved = 0xffff;

// The length in octets of the instruction that `head` begins; empty if `head` is too short to show it.
std::optional<std::uint64_t> length_of(Octets head, Form form) {
  const auto extent = instruction_octets(head, kLimits, form);
  if (!extent || !extent->complete) return std::nullopt;
  return extent->octets;
}

// Returns true if the fragments are as long as the instruction would be with the fields that have to be removed.
bool has_ids_left(const ObservedChain& chain, const Header& inner) {
  Header whole = inner;
  whole.form = Form::whole;
  if (!whole.has_session_id() && !whole.has_req_id()) return false;
  const auto length = length_of(chain.fragment_head, Form::whole);
  return length && in_words(*length) == chain.fragment_octets;
}

// The index of _BEGIN_FRG in the instruction.
std::optional<std::size_t> find_begin(const Seen& seen) {
  const auto& all = seen.instruction.extensions;
  const auto begin =
      std::ranges::find(all, static_cast<std::uint16_t>(HeadCode::begin_frg), &ExtensionHeader::head_code);
  if (begin == all.end()) return std::nullopt;
  return static_cast<std::size_t>(begin - all.begin());
}

// States or keeps a breach: the parental chain is not being sent, or has had the instruction. A chain that was not seen
// may still follow, and so may a new one with the number.
void compare(const Seen& seen, FactSink& facts, const ObservedChain* chain, const Parent& parent, std::size_t begin) {
  if (!is_without_more(seen, begin)) return;
  if (!seen.connection.is_all_seen() || !seen.session->from_start || !seen.session->is_in_use()) return;
  if (seen.session->half(seen.message.sender).chains_forgotten) return;
  const std::size_t at = seen.extension_data(begin).offset;
  KeptFact kept{.fact = {Claim::parent_is_sent, false, {at, 2}, parent.chain_number, 0, kLikely}};
  kept.chain_number = parent.chain_number;
  const bool is_sent = chain != nullptr && !chain->ended && !chain->cancelled;
  if (is_sent && chain->from_start && chain->complete && parent.instr_number < chain->next) {
    kept.fact = {Claim::parent_has_new_number, false, {at + 2, 2}, parent.instr_number, chain->next};
  } else if (chain != nullptr) {
    if (!chain->ended || parent.instr_number < chain->next) return;
    kept.fact.claim = Claim::parent_has_not_ended;
  }
  // A response may have refused what the fragments are.
  if (!seen.header().ask) kept.fragments = seen.membership.chain->chain_number;
  if (seen.connection.pair != nullptr)
    keep_fact(seen, std::move(kept));
  else
    facts.state(kept.fact);
}

// The NOP with the first fragment has the ASK of the fragmented instruction.
void compare_ask(const Seen& seen, FactSink& facts) {
  const auto inner = decode_header(seen.instruction.operands, Form::fragmented);
  if (!inner) return;
  const bool asks = seen.header().ask;
  facts.state({inner->ask ? Claim::asks_for_fragmented : Claim::does_not_ask_for_fragmented, asks == inner->ask,
               seen.field(HeaderField::ask), asks, 0, inner->ask});
}

// All fragments have arrived, so they are the whole instruction.
void follow_whole(const Seen& seen, FactSink& facts, const ObservedChain& chain) {
  const auto inner = decode_header(chain.fragment_head, Form::fragmented);
  // It is open whether an instruction of a parental chain keeps its numbers (UMSP/A17).
  if (inner && inner->chn) return;
  const auto length = length_of(chain.fragment_head, Form::fragmented);
  if (!length && chain.fragment_head.size() >= kMostHead) return;
  const auto holds = [&](Claim claim, bool claim_holds) {
    return state_or_keep(seen, facts,
                         {claim, claim_holds, seen.all_operands(), chain.fragment_octets, length.value_or(0)});
  };
  const bool fits = length && in_words(*length) == chain.fragment_octets;
  if (!holds(Claim::fragments_have_no_ids, fits || !inner || !has_ids_left(chain, *inner))) return;
  if (!holds(Claim::fragments_are_whole, length && chain.fragment_octets >= *length)) return;
  const std::size_t padding = fits ? static_cast<std::size_t>(in_words(*length) - *length) : 0;
  const Octets last = seen.instruction.operands;
  const Octets rest = last.last(std::min(padding, last.size()));
  const bool nothing_else = fits && std::ranges::all_of(rest, [](Octet octet) { return octet == 0; });
  if (holds(Claim::fragments_have_no_more, nothing_else)) holds(Claim::last_fragment_ends, !last.empty());
}

// A parental chain can have the number.
bool can_be_parent(const Seen& seen, std::uint16_t number) {
  if (number == 0 || number == kLastReserved) return false;
  return !seen.membership.chain || seen.membership.chain->chain_number != number;
}

// On this connection, the number belongs to a chain of fragments that is being sent.
bool is_of_fragments(const Seen& seen, std::uint16_t number) {
  if (seen.session == nullptr || !seen.membership.chain) return false;
  const SessionHalf& half = seen.session->half(seen.message.sender);
  const auto found = half.chains.find(number);
  if (found == half.chains.end() || found->second.kind != ObservedChainKind::fragments) return false;
  return !found->second.ended && !found->second.cancelled;
}

}  // namespace

std::optional<Parent> parent_of(const ExtensionHeader& header) {
  const OperandView view = locate(header);
  const auto chain = value_of(view, Operand::parent_chain_number, header.data);
  const auto instr = value_of(view, Operand::parent_instr_number, header.data);
  if (!chain || !instr) return std::nullopt;
  return Parent{static_cast<std::uint16_t>(*chain), static_cast<std::uint16_t>(*instr)};
}

void note_fragments(const Seen& seen, ObservedChain& chain) {
  const auto begin = chain.kind == ObservedChainKind::fragments ? find_begin(seen) : std::nullopt;
  chain.subordinate = begin && parent_of(seen.instruction.extensions[*begin]);
}

std::optional<Fact> follow_parent_number(const Seen& seen, std::size_t index) {
  const ExtensionHeader& header = seen.instruction.extensions[index];
  if (header.head_code != static_cast<std::uint16_t>(HeadCode::begin_frg) || !can_be_chained(seen.header()))
    return std::nullopt;
  const auto parent = has_form(locate(header)) ? parent_of(header) : std::nullopt;
  if (!parent) return std::nullopt;
  const bool can_be = can_be_parent(seen, parent->chain_number);
  const bool is_one = can_be && !is_of_fragments(seen, parent->chain_number);
  const OctetRange where{seen.extension_data(index).offset, 2};
  const Fact fact{Claim::parent_is_no_fragments, is_one, where, parent->chain_number};
  if (fact.holds || !can_be || seen.connection.pair == nullptr) return fact;
  keep_fact(seen, {.fact = fact, .chain_number = parent->chain_number});
  return std::nullopt;
}

// The fragmented instruction belongs to the parental chain, which may begin or end with it.
void follow_parent(const Seen& seen, FactSink& facts, SessionHalf& half) {
  const auto begin = find_begin(seen);
  const auto parent = begin ? parent_of(seen.instruction.extensions[*begin]) : std::nullopt;
  if (!parent || !can_be_parent(seen, parent->chain_number) || parent->instr_number == kLastReserved) return;
  forget_carried(seen, half, parent->chain_number);
  const auto found = half.chains.find(parent->chain_number);
  const bool is_known = found != half.chains.end();
  const bool is_sent = is_known && !found->second.ended && !found->second.cancelled;
  const bool begins = parent->instr_number == 0;
  if (begins)
    forget_parent(seen, parent->chain_number);
  else
    compare(seen, facts, is_known ? &found->second : nullptr, *parent, *begin);
  const bool is_over = is_known && !is_sent && !begins;  // the instruction may be a missing one of the ended chain
  const bool is_another = !is_over && (!is_sent || (begins && found->second.from_start));
  ObservedChain* const chain = is_another ? add_chain(seen, half, parent->chain_number) : &found->second;
  if (chain == nullptr) return;
  if (!is_over) {
    chain->complete = false;  // its length and its end are not tracked
    chain->in_fragments = true;
    chain->from_start |= begins;
  }
  note_fragmented(*chain, parent->instr_number);
  settle_missing(seen, parent->chain_number, parent->instr_number);
}

bool follow_fragment(const Seen& seen, FactSink& facts, ObservedChain& chain, bool ends) {
  if (!chain.complete) return true;  // it may have ended, and another one begun, on another connection
  const bool is_nop = seen.is(Opcode::nop);
  // The rule of _BEGIN_FRG judges the first one.
  if (seen.membership.chain->instr_number != 0) {
    if (!state_or_keep(seen, facts, {Claim::fragments_are_nops, is_nop, {0, 1}, seen.instruction.opcode()}))
      return false;
  } else if (is_nop) {
    compare_ask(seen, facts);
  }
  const Octets fragment = seen.instruction.operands;
  const std::size_t room = kMostHead - std::min(kMostHead, chain.fragment_head.size());
  const Octets head = fragment.first(std::min(room, fragment.size()));
  chain.fragment_head.insert(chain.fragment_head.end(), head.begin(), head.end());
  chain.fragment_octets += fragment.size();
  if (is_nop && ends && chain.from_start) follow_whole(seen, facts, chain);
  return is_nop;
}

}  // namespace wirelaw::umsp
