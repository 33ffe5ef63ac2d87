// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/fragments.h"

#include <algorithm>

#include "conformance/umsp/tracker/chain_account.h"

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

// The parental chain is being sent, and has not had the instruction.
void compare(const Seen& seen, const ObservedChain* chain, ParentFact& fact) {
  using enum ParentFact::Breach;
  if (!is_without_more(seen, fact.extension)) return;
  if (!seen.connection.is_all_seen() || !seen.session->from_start || !seen.session->is_in_use()) return;
  if (seen.session->half(seen.message.sender).chains_forgotten) return;
  if (chain == nullptr) {
    fact.breach = absent;
    return;
  }
  const bool is_sent = !chain->ended && !chain->cancelled;
  if (is_sent && chain->from_start && chain->complete && fact.instr_number < chain->next)
    fact.breach = again;
  else if (chain->ended && fact.instr_number >= chain->next)
    fact.breach = ended;
  fact.due = chain->next;
}

// All fragments have arrived, so they are the whole instruction.
std::optional<FragmentFact::Whole> whole_of(const ObservedChain& chain) {
  const auto inner = decode_header(chain.fragment_head, Form::fragmented);
  // It is open whether an instruction of a parental chain keeps its numbers (UMSP/A17).
  if (inner && inner->chn) return std::nullopt;
  const auto length = length_of(chain.fragment_head, Form::fragmented);
  if (!length && chain.fragment_head.size() >= kMostHead) return std::nullopt;
  return FragmentFact::Whole{length, chain.fragment_octets, inner && has_ids_left(chain, *inner)};
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

// The fragmented instruction belongs to the parental chain, which may begin or end with it.
std::optional<ParentFact> follow_parent(const Seen& seen, SessionHalf& half) {
  const auto begin = find_begin(seen);
  const auto parent = begin ? parent_of(seen.instruction.extensions[*begin]) : std::nullopt;
  if (!parent || parent->chain_number == seen.membership.chain->chain_number) return std::nullopt;
  if (parent->chain_number == 0 || parent->chain_number == kLastReserved || parent->instr_number == kLastReserved)
    return std::nullopt;
  ParentFact fact{.chain_number = parent->chain_number, .instr_number = parent->instr_number, .extension = *begin};
  forget_carried(seen, half, parent->chain_number);
  const auto found = half.chains.find(parent->chain_number);
  const bool is_known = found != half.chains.end();
  const bool is_sent = is_known && !found->second.ended && !found->second.cancelled;
  const bool begins = parent->instr_number == 0;
  if (!begins) compare(seen, is_known ? &found->second : nullptr, fact);
  const bool is_over = is_known && !is_sent && !begins;  // the instruction may be a missing one of the ended chain
  const bool is_another = !is_over && (!is_sent || (begins && found->second.from_start));
  ObservedChain* const chain = is_another ? add_chain(seen, half, parent->chain_number) : &found->second;
  if (chain == nullptr) return fact;
  fact.is_noted = true;
  if (!is_over) {
    chain->complete = false;  // its length and its end are not tracked
    chain->in_fragments = true;
    chain->from_start |= begins;
  }
  note_fragmented(*chain, parent->instr_number);
  return fact;
}

FragmentFact follow_fragment(const Seen& seen, ObservedChain& chain, bool ends) {
  if (!chain.complete) return {};
  const bool is_nop = seen.is(Opcode::nop), is_first = seen.membership.chain->instr_number == 0;
  FragmentFact fact{.is_judged = true, .may_be_one = is_nop};
  if (!is_first && !is_nop) return fact;
  const Octets fragment = seen.instruction.operands;
  const std::size_t room = kMostHead - std::min(kMostHead, chain.fragment_head.size());
  const Octets head = fragment.first(std::min(room, fragment.size()));
  chain.fragment_head.insert(chain.fragment_head.end(), head.begin(), head.end());
  chain.fragment_octets += fragment.size();
  if (is_nop && ends && chain.from_start) fact.whole = whole_of(chain);
  return fact;
}

}  // namespace wirelaw::umsp
