// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.3: fragmented instructions.
#include "conformance/umsp/7.3-fragments/fragments.h"

#include <algorithm>

#include "conformance/umsp/7.3-fragments/rules.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_account.h"
#include "conformance/umsp/tracker/chain_steps.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kLastReserved = 0xffff;

void judge_begin_frg(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  const OctetRange data = seen.extension_data(index);
  judge.require(rule<"UMSP-7.3-17">, is_without_more(seen, index), data, expected("no words of DATA, or two"),
                actual([&] { return fmt::format("{} octets", data.length); }));
  const Header& header = seen.header();
  if (!judge.require(rule<"UMSP-7.3-5">, can_be_chained(header), seen.field(HeaderField::chn), expected("CHN 1"),
                     actual("CHN 0")))
    return;
  judge.require(rule<"UMSP-7.3-15">, seen.is(Opcode::nop), octets(0, 1), expected("NOP"), actual(header.opcode));
  const auto parent = parent_of(seen.instruction.extensions[index]);
  if (!parent) return;
  for (const Fact& fact : seen.before.claims)
    if (fact.claim == Claim::parent_is_no_fragments && fact.where.offset == data.offset) check_claim(judge, fact);
  judge.require(rule<"UMSP-7.3-20">, parent->instr_number != kLastReserved, octets(data.offset + 2, 2),
                expected("0 to 65534"), actual(parent->instr_number));
}

constexpr ExtensionRules kExtensions[] = {{.head_code = HeadCode::begin_frg,
                                           .hob = &rule<"UMSP-7.3-18">,
                                           .data = &rule<"UMSP-7.3-17">,
                                           .judge = judge_begin_frg}};

constexpr std::string_view kParent = "the number of a chain that is being sent";
constexpr std::string_view kAnnounced = "{} octets by the header in them", kNone = "an instruction";
constexpr ClaimRow kClaims[] = {
    {Claim::asks_for_fragmented, &rule<"UMSP-7.3-7">, "ASK 1, as the fragmented instruction has", "{}"},
    {Claim::does_not_ask_for_fragmented, &rule<"UMSP-7.3-8">, "ASK 0, as the fragmented instruction has", "{}"},
    {Claim::fragments_are_nops, &rule<"UMSP-7.3-4">, "NOP", "{}"},
    {.claim = Claim::fragments_have_no_ids,
     .rule = &rule<"UMSP-7.3-10">,
     .due = kAnnounced,
     .got = "as many as with SESSION_ID and REQ_ID left in",
     .no_due = kNone},
    {.claim = Claim::fragments_are_whole,
     .rule = &rule<"UMSP-7.3-12">,
     .due = kAnnounced,
     .got = "{}",
     .no_due = kNone},
    {.claim = Claim::fragments_have_no_more,
     .rule = &rule<"UMSP-7.3-13">,
     .due = kAnnounced,
     .got = "{}",
     .why = "up to three zeros after it",
     .no_due = kNone},
    {Claim::last_fragment_ends, &rule<"UMSP-7.3-21">, "_END_CHAIN with the last fragment", "after it"},
    {Claim::parent_is_no_fragments, &rule<"UMSP-7.3-19">, "the number of a sequence or transaction", "{}"},
    {Claim::parent_is_sent, &rule<"UMSP-7.3-19">, kParent, "{}"},
    {Claim::parent_has_not_ended, &rule<"UMSP-7.3-19">, kParent, "{}"},
    {Claim::parent_has_new_number, &rule<"UMSP-7.3-20">, "{}", "{}",
     "the parental chain has had an instruction with this number", Evidence::order},
};

}  // namespace

SectionTables fragment_tables() {
  return {.extensions = kExtensions, .claims = kClaims};
}

}  // namespace wirelaw::umsp
