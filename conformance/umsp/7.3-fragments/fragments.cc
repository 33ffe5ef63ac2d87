// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.3: fragmented instructions.
#include "conformance/umsp/7.3-fragments/fragments.h"

#include <algorithm>

#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/7.3-fragments/rules.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/fragments.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kLastReserved = 0xffff;

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

void check_whole(Judge& judge, const Seen& seen, const FragmentFact::Whole& fact) {
  const auto& length = fact.length;
  const OctetRange where = seen.all_operands();
  const bool fits = length && in_words(*length) == fact.octets;
  const auto announced = [&] {
    return length ? fmt::format("{} octets by the header in them", *length) : std::string("an instruction");
  };
  if (!require_of_chain(judge, seen, rule<"UMSP-7.3-10">, fits || !fact.has_ids_left, where, expected(announced),
                        actual("as many as with SESSION_ID and REQ_ID left in")))
    return;
  if (!require_of_chain(judge, seen, rule<"UMSP-7.3-12">, length && fact.octets >= *length, where, expected(announced),
                        actual(fact.octets)))
    return;
  const std::size_t padding = fits ? static_cast<std::size_t>(in_words(*length) - *length) : 0;
  const Octets last = seen.instruction.operands;
  const Octets behind = last.last(std::min(padding, last.size()));
  const bool nothing_else = fits && std::ranges::all_of(behind, [](Octet octet) { return octet == 0; });
  if (!require_of_chain(judge, seen, rule<"UMSP-7.3-13">, nothing_else, where, expected(announced), actual(fact.octets),
                        "up to three zeros after it"))
    return;
  require_of_chain(judge, seen, rule<"UMSP-7.3-21">, !last.empty(), where,
                   expected("_END_CHAIN with the last fragment"), actual("after it"));
}

void check_ask(Judge& judge, const SeenInstruction& seen) {
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

void forget_parent(const Seen& seen, std::uint16_t chain_number) {
  std::erase_if(seen.connection.orphans, [&](const OrphanInstruction& one) {
    return (one.rule == &rule<"UMSP-7.3-19"> || one.rule == &rule<"UMSP-7.3-20">)&&one.chain_number == chain_number &&
           one.message.sender == seen.message.sender;
  });
}

// A chain that was not seen may still follow, and so may a new one with the number.
static void check_named_parent(Judge& judge, const Seen& seen, const ParentFact& fact) {
  using enum ParentFact::Breach;
  const bool is_again = fact.breach == again;
  // A response may have refused what the fragments are.
  const auto fragments = seen.header().ask ? std::nullopt : std::optional(seen.membership.chain->chain_number);
  OrphanInstruction breach{.rule = &rule<"UMSP-7.3-19">,
                           .evidence = rule<"UMSP-7.3-19">.evidence,
                           .chain_number = fact.chain_number,
                           .may_follow = fact.breach == absent,
                           .fragments = fragments,
                           .expected = "the number of a chain that is being sent",
                           .actual = say(fact.chain_number)};
  if (is_again)
    breach = {.rule = &rule<"UMSP-7.3-20">,
              .evidence = Evidence::order,
              .chain_number = fact.chain_number,
              .expected = say(fact.due),
              .actual = say(fact.instr_number),
              .why = "the parental chain has had an instruction with this number"};
  const std::size_t at = seen.extension_data(fact.extension).offset;
  const OctetRange where = octets(is_again ? at + 2 : at, 2);
  if (seen.connection.pair != nullptr) return keep_breach_of_chain(judge, seen, std::move(breach), where);
  const auto due = expected(std::string_view(breach.expected));
  const auto found = actual(std::string_view(breach.actual));
  if (is_again)
    judge.require(rule<"UMSP-7.3-20">, false, where, due, found, breach.why, Evidence::order);
  else
    judge.advise(rule<"UMSP-7.3-19">, false, where, due, found);
}

void check_parent(Judge& judge, const Seen& seen, const ParentFact& fact) {
  if (fact.instr_number == 0) forget_parent(seen, fact.chain_number);
  if (fact.breach != ParentFact::Breach::none) check_named_parent(judge, seen, fact);
  if (fact.is_noted) settle_missing(seen, fact.chain_number, fact.instr_number);
}

void check_fragment(Judge& judge, const Seen& seen, const FragmentFact& fact) {
  if (!fact.is_judged) return;
  // The rule of _BEGIN_FRG judges the first one.
  const bool is_first = seen.membership.chain->instr_number == 0;
  if (!is_first)
    require_of_chain(judge, seen, rule<"UMSP-7.3-4">, seen.is(Opcode::nop), octets(0, 1), expected("NOP"),
                     actual(seen.header().opcode));
  else if (seen.is(Opcode::nop))
    check_ask(judge, seen);
  if (fact.whole) check_whole(judge, seen, *fact.whole);
}

SectionTables fragment_tables() {
  return {.extensions = kExtensions};
}

}  // namespace wirelaw::umsp
