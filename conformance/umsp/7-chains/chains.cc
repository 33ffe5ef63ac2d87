// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 7 and 7.1: chains and sequences.
#include "conformance/umsp/7-chains/chains.h"

#include "conformance/umsp/7-chains/rules.h"
#include "conformance/umsp/7.5-acknowledgement/acknowledgement.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_account.h"

namespace wirelaw::umsp {
namespace {

void judge_end_chain(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  judge.require(rule<"UMSP-7-18">, is_without_more(seen, index), seen.extension_data(index), expected("no DATA"),
                actual("DATA"));
  judge.require(rule<"UMSP-7-20">, can_be_chained(seen.header()), seen.field(HeaderField::chn), expected("CHN 1"),
                actual("CHN 0"));
}

void judge_begin_sq(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  judge.require(rule<"UMSP-7.1-7">, is_without_more(seen, index), seen.extension_data(index), expected("no DATA"),
                actual("DATA"));
  judge.require(rule<"UMSP-7.1-9">, can_be_chained(seen.header()), seen.field(HeaderField::chn), expected("CHN 1"),
                actual("CHN 0"));
}

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::begin_sq, .hob = &rule<"UMSP-7.1-8">, .data = &rule<"UMSP-7.1-7">, .judge = judge_begin_sq},
    {.head_code = HeadCode::end_chain,
     .hob = &rule<"UMSP-7-19">,
     .data = &rule<"UMSP-7-18">,
     .judge = judge_end_chain}};

constexpr std::string_view kNotOnAny = "no connection of the two nodes has the instruction before it";
constexpr std::string_view kTogether = "the connections of the two nodes together";

constexpr ClaimRow kClaims[] = {
    {Claim::begins_free_number, &rule<"UMSP-7-8">, "a number of no chain, or of one that has ended", "{}"},
    {Claim::has_next_number, &rule<"UMSP-7-6">, "{}", "{}"},
    {Claim::has_new_number, &rule<"UMSP-7-6">, "{}", "{}", "the same number twice", Evidence::octets},
    {Claim::is_before_end, &rule<"UMSP-7-16">, "{}", "{}"},
    {Claim::follows_all_numbers, &rule<"UMSP-7-6">, "{}", "{}", kNotOnAny},
    {Claim::is_last_before_end, &rule<"UMSP-7-16">, "nothing after _END_CHAIN", "{}", kNotOnAny},
    {Claim::ends_sequences, &rule<"UMSP-7-15">, "_END_CHAIN in each sequence before the sender ends the session",
     "chain {} without it"},
    {Claim::has_number_once, &rule<"UMSP-7-6">, "each number once", "{}", kTogether, Evidence::absence},
    {Claim::completes_chain, &rule<"UMSP-7-6">, "number {} on one of the connections", "none has it", kTogether,
     Evidence::absence},
    {Claim::begins_after_end, &rule<"UMSP-7-8">, "a number of no chain, or of one that has ended", "{}", kTogether,
     Evidence::absence},
    {Claim::is_up_to_end, &rule<"UMSP-7-16">, "_END_CHAIN in the instruction with the greatest number", "{}", kTogether,
     Evidence::absence},
    {Claim::begins_in_datagram, &rule<"UMSP-7-21">, "the chain's beginning in front of it", "{}"},
    {Claim::ends_in_datagram, &rule<"UMSP-7-21">, "_END_CHAIN in the same datagram", "a chain without its end"},
};

void check_beginning(Judge& judge, const SeenInstruction& seen, const LinkFact& link) {
  const OctetRange number = seen.field(HeaderField::instr_number);
  if (link.begins > 0 && (!judge.require(rule<"UMSP-7-13">, link.begins == 1, seen.extension(link.begin),
                                         expected("one header that begins a chain"), actual(link.begins)) ||
                          !judge.require(rule<"UMSP-7-14">, link.is_first(), number, expected("INSTR_NUMBER 0"),
                                         actual(link.place.instr_number))))
    return;
  if (link.is_first())
    judge.require(rule<"UMSP-7-12">, link.begins > 0, number, expected("_BEGIN_SQ, _BEGIN_TR or _BEGIN_FRG"),
                  actual("none"));
}

}  // namespace

void check_link(Judge& judge, const SeenInstruction& seen, const LinkFact& link) {
  check_beginning(judge, seen, link);
  if (link.is_usable() && !link.is_first()) judge_chain_ask(judge, seen);
}

SectionTables chain_tables() {
  return {.extensions = kExtensions, .claims = kClaims};
}

}  // namespace wirelaw::umsp
