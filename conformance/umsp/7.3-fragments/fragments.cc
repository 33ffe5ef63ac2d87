// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.3: fragmented instructions.
#include "conformance/umsp/7.3-fragments/fragments.h"

#include <algorithm>

#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/7-chains/shared_chains.h"
#include "conformance/umsp/7.3-fragments/rules.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

// The number of octets kept of a fragmented instruction: its header, and usually the heads of its extension headers.
constexpr std::size_t kMostHead = 256;
constexpr Limits kLimits{.octets = ~std::uint64_t{0}, .extension_headers = 64};
constexpr std::uint16_t kLastReserved = 0xffff;

struct Parent {
  std::uint16_t chain_number;
  std::uint16_t instr_number;
};
// The parental chain that _BEGIN_FRG names; none if it names none.
std::optional<Parent> parent_of(const ExtensionHeader& header) {
  const OperandView view = locate(header);
  const auto chain = value_of(view, Operand::parent_chain_number, header.data);
  const auto instr = value_of(view, Operand::parent_instr_number, header.data);
  if (!chain || !instr) return std::nullopt;
  return Parent{static_cast<std::uint16_t>(*chain), static_cast<std::uint16_t>(*instr)};
}

const ExtensionHeader* begin_of(const Seen& seen) {
  return seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::begin_frg));
}

// True if a parental chain can have the number.
bool can_be_parent(const Seen& seen, std::uint16_t number) {
  if (number == 0 || number == kLastReserved) return false;
  return !seen.membership.chain || seen.membership.chain->chain_number != number;
}

// True if, on this connection, the number belongs to a chain of fragments that is being sent.
bool is_of_fragments(const Seen& seen, std::uint16_t number) {
  if (seen.session == nullptr || !seen.membership.chain) return false;
  const SessionHalf& half = seen.session->half(seen.message.sender);
  const auto found = half.chains.find(number);
  if (found == half.chains.end() || found->second.kind != ObservedChainKind::fragments) return false;
  return !found->second.ended && !found->second.cancelled;
}

void judge_begin_frg(Judge& judge, const Seen& seen, std::size_t index) {
  const OctetRange data = seen.extension_data(index);
  judge.require(rule<"UMSP-7.3-17">, is_without_more(seen, index), data, expected("no words of DATA, or two"),
                actual([&] { return fmt::format("{} octets", data.length); }));
  const Header& header = seen.header();
  if (!judge.require(rule<"UMSP-7.3-5">, header.chn || header.pck == Pck::same_chain, seen.field(HeaderField::chn),
                     expected("CHN 1"), actual("CHN 0")))
    return;
  judge.require(rule<"UMSP-7.3-15">, seen.is(Opcode::nop), octets(0, 1), expected("NOP"), actual(header.opcode));
  const auto parent = parent_of(seen.instruction.extensions[index]);
  if (!parent) return;
  const bool is_certain = !can_be_parent(seen, parent->chain_number) || seen.connection.pair == nullptr;
  const bool is_one = can_be_parent(seen, parent->chain_number) && !is_of_fragments(seen, parent->chain_number);
  constexpr std::string_view kDue = "the number of a sequence or transaction";
  if (is_one || is_certain)
    judge.require(rule<"UMSP-7.3-19">, is_one, octets(data.offset, 2), expected(kDue), actual(parent->chain_number));
  else
    keep_breach_of_chain(judge, seen,
                         {.rule = &rule<"UMSP-7.3-19">,
                          .evidence = rule<"UMSP-7.3-19">.evidence,
                          .chain_number = parent->chain_number,
                          .expected = say(kDue),
                          .actual = say(parent->chain_number)},
                         octets(data.offset, 2));
  judge.require(rule<"UMSP-7.3-20">, parent->instr_number != kLastReserved, octets(data.offset + 2, 2),
                expected("0 to 65534"), actual(parent->instr_number));
}

constexpr ExtensionRules kExtensions[] = {{.head_code = HeadCode::begin_frg,
                                           .hob = &rule<"UMSP-7.3-18">,
                                           .data = &rule<"UMSP-7.3-17">,
                                           .judge = judge_begin_frg}};

constexpr std::uint64_t in_words(std::uint64_t octets) {
  return (octets + 3) / 4 * 4;
}

// The length in octets of the instruction that `head` begins; none if `head` is too short to show it.
std::optional<std::uint64_t> length_of(Octets head, Form form) {
  const auto extent = instruction_octets(head, kLimits, form);
  if (!extent || !extent->complete) return std::nullopt;
  return extent->octets;
}

// True if the fragments are as long as the instruction would be with the fields that have to be removed.
bool has_ids_left(const ObservedChain& chain, const Header& inner) {
  Header whole = inner;
  whole.form = Form::whole;
  if (!whole.has_session_id() && !whole.has_req_id()) return false;
  const auto length = length_of(chain.fragment_head, Form::whole);
  return length && in_words(*length) == chain.fragment_octets;
}

// All fragments have arrived, so they are the whole instruction.
void judge_whole(Judge& judge, const Seen& seen, const ObservedChain& chain) {
  const auto inner = decode_header(chain.fragment_head, Form::fragmented);
  // It is open whether an instruction of a parental chain keeps its numbers (UMSP/A17).
  if (inner && inner->chn) return;
  const auto length = length_of(chain.fragment_head, Form::fragmented);
  if (!length && chain.fragment_head.size() >= kMostHead) return;
  const OctetRange where = seen.all_operands();
  const bool fits = length && in_words(*length) == chain.fragment_octets;
  const bool left = !fits && inner && has_ids_left(chain, *inner);
  const auto announced = [&] {
    return length ? fmt::format("{} octets by the header in them", *length) : std::string("an instruction");
  };
  if (!require_of_chain(judge, seen, rule<"UMSP-7.3-10">, !left, where, expected(announced),
                        actual("as many as with SESSION_ID and REQ_ID left in")))
    return;
  if (!require_of_chain(judge, seen, rule<"UMSP-7.3-12">, length && chain.fragment_octets >= *length, where,
                        expected(announced), actual(chain.fragment_octets)))
    return;
  const std::size_t padding = fits ? static_cast<std::size_t>(in_words(*length) - *length) : 0;
  const Octets last = seen.instruction.operands;
  const Octets behind = last.last(std::min(padding, last.size()));
  const bool nothing_else = fits && std::ranges::all_of(behind, [](Octet octet) { return octet == 0; });
  if (!require_of_chain(judge, seen, rule<"UMSP-7.3-13">, nothing_else, where, expected(announced),
                        actual(chain.fragment_octets), "up to three zeros after it"))
    return;
  require_of_chain(judge, seen, rule<"UMSP-7.3-21">, !last.empty(), where,
                   expected("_END_CHAIN with the last fragment"), actual("after it"));
}

void judge_ask(Judge& judge, const Seen& seen) {
  const auto inner = decode_header(seen.instruction.operands, Form::fragmented);
  if (!inner) return;
  const bool asked = seen.header().ask;
  const OctetRange where = seen.field(HeaderField::ask);
  if (inner->ask)
    judge.require(rule<"UMSP-7.3-7">, asked, where, expected("ASK 1, as the fragmented instruction has"),
                  actual(asked));
  else
    judge.advise(rule<"UMSP-7.3-8">, !asked, where, expected("ASK 0, as the fragmented instruction has"),
                 actual(asked));
}

}  // namespace

void note_fragments(const Seen& seen, ObservedChain& chain) {
  const ExtensionHeader* const begin = chain.kind == ObservedChainKind::fragments ? begin_of(seen) : nullptr;
  chain.subordinate = begin != nullptr && parent_of(*begin);
}

void forget_parent(const Seen& seen, std::uint16_t chain_number) {
  std::erase_if(seen.connection.orphans, [&](const OrphanInstruction& one) {
    return (one.rule == &rule<"UMSP-7.3-19"> || one.rule == &rule<"UMSP-7.3-20">)&&one.chain_number == chain_number &&
           one.message.sender == seen.message.sender;
  });
}

// Judges that the parental chain is being sent, and has not had the instruction. A chain that was not seen may still
// follow, and so may a new one with the number.
static void judge_parent(Judge& judge, const Seen& seen, const Parent& parent, const ObservedChain* chain) {
  const auto& extensions = seen.instruction.extensions;
  const auto begin =
      std::ranges::find(extensions, static_cast<std::uint16_t>(HeadCode::begin_frg), &ExtensionHeader::head_code);
  const auto index = static_cast<std::size_t>(begin - extensions.begin());
  if (!is_without_more(seen, index)) return;
  if (!seen.connection.is_all_seen() || !seen.session->from_start || !seen.session->is_in_use()) return;
  if (seen.session->half(seen.message.sender).chains_forgotten) return;
  const bool is_sent = chain != nullptr && !chain->ended && !chain->cancelled;
  const bool is_again = is_sent && chain->from_start && chain->complete && parent.instr_number < chain->next;
  const bool has_ended = chain != nullptr && chain->ended && parent.instr_number >= chain->next;
  if (chain != nullptr && !is_again && !has_ended) return;
  const std::size_t at = seen.extension_data(index).offset;
  // A response may have refused what the fragments are.
  const auto fragments = seen.header().ask ? std::nullopt : std::optional(seen.membership.chain->chain_number);
  OrphanInstruction breach{.rule = &rule<"UMSP-7.3-19">,
                           .evidence = rule<"UMSP-7.3-19">.evidence,
                           .chain_number = parent.chain_number,
                           .may_follow = chain == nullptr,
                           .fragments = fragments,
                           .expected = "the number of a chain that is being sent",
                           .actual = say(parent.chain_number)};
  if (is_again)
    breach = {.rule = &rule<"UMSP-7.3-20">,
              .evidence = Evidence::order,
              .chain_number = parent.chain_number,
              .expected = say(chain->next),
              .actual = say(parent.instr_number),
              .why = "the parental chain has had an instruction with this number"};
  const OctetRange where = octets(is_again ? at + 2 : at, 2);
  if (seen.connection.pair != nullptr) return keep_breach_of_chain(judge, seen, std::move(breach), where);
  const auto due = expected(std::string_view(breach.expected));
  const auto found = actual(std::string_view(breach.actual));
  if (is_again)
    judge.require(rule<"UMSP-7.3-20">, false, where, due, found, breach.why, Evidence::order);
  else
    judge.advise(rule<"UMSP-7.3-19">, false, where, due, found);
}

// The fragmented instruction belongs to the parental chain, which may begin or end with it.
void note_parent(Judge& judge, const Seen& seen, SessionHalf& half) {
  const ExtensionHeader* const begin = begin_of(seen);
  const auto parent = begin ? parent_of(*begin) : std::nullopt;
  if (!parent || parent->chain_number == seen.membership.chain->chain_number) return;
  if (parent->chain_number == 0 || parent->chain_number == kLastReserved || parent->instr_number == kLastReserved)
    return;
  forget_carried(seen, half, parent->chain_number);
  const auto found = half.chains.find(parent->chain_number);
  const bool is_known = found != half.chains.end();
  const bool is_sent = is_known && !found->second.ended && !found->second.cancelled;
  const bool begins = parent->instr_number == 0;
  if (begins)
    forget_parent(seen, parent->chain_number);
  else
    judge_parent(judge, seen, *parent, is_known ? &found->second : nullptr);
  if (is_known && !is_sent && !begins)  // the chain has ended; the instruction may be a missing one of it
    return note_fragmented(seen, found->second, parent->chain_number, parent->instr_number);
  const bool is_another = !is_sent || (begins && found->second.from_start);
  ObservedChain* const chain = is_another ? add_chain(seen, half, parent->chain_number) : &found->second;
  if (chain == nullptr) return;
  chain->complete = false;  // its length and its end are not tracked
  chain->in_fragments = true;
  chain->from_start |= begins;
  note_fragmented(seen, *chain, parent->chain_number, parent->instr_number);
}

bool judge_fragment(Judge& judge, const Seen& seen, ObservedChain& chain, bool ends) {
  // The rule of _BEGIN_FRG judges the first one.
  const bool first = seen.membership.chain->instr_number == 0;
  if (!chain.complete) return true;  // it may have ended, and another one begun, on another connection
  if (!first && !require_of_chain(judge, seen, rule<"UMSP-7.3-4">, seen.is(Opcode::nop), octets(0, 1), expected("NOP"),
                                  actual(seen.header().opcode)))
    return false;
  const Octets fragment = seen.instruction.operands;
  const std::size_t room = kMostHead - std::min(kMostHead, chain.fragment_head.size());
  const Octets head = fragment.first(std::min(room, fragment.size()));
  chain.fragment_head.insert(chain.fragment_head.end(), head.begin(), head.end());
  chain.fragment_octets += fragment.size();
  if (!seen.is(Opcode::nop)) return false;
  if (first) judge_ask(judge, seen);
  if (ends && chain.from_start) judge_whole(judge, seen, chain);
  return true;
}

SectionTables fragment_tables() {
  return {.extensions = kExtensions};
}

}  // namespace wirelaw::umsp
