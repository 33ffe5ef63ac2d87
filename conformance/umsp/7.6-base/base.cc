// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.6: addresses as displacements from a base.
#include "conformance/umsp/7.6-base/base.h"

#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/7.6-base/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

constexpr auto kCode = static_cast<std::uint16_t>(HeadCode::set_mbase);

void judge_set_mbase(Judge& judge, const Seen& seen, std::size_t index) {
  judge.require(rule<"UMSP-7.6-5">, is_without_more(seen, index), seen.extension_data(index),
                expected("4, 8 or 16 octets"),
                actual([&] { return fmt::format("{} octets", seen.instruction.extensions[index].data.size()); }));
  const Header& header = seen.header();
  judge.require(rule<"UMSP-7.6-3">, header.chn || header.pck == Pck::same_chain, seen.field(HeaderField::chn),
                expected("CHN 1"), actual("CHN 0"));
}

constexpr ExtensionRules kExtensions[] = {{.head_code = HeadCode::set_mbase,
                                           .hob = &rule<"UMSP-7.6-6">,
                                           .data = &rule<"UMSP-7.6-5">,
                                           .judge = judge_set_mbase}};

}  // namespace

namespace {

// True if the OPCODE shows that the address has 2 octets.
bool has_short_address(const Seen& seen) {
  return seen.is(Opcode::write_2) || seen.is(Opcode::cmp_2);
}

// True if the receiver is a JCP with GJIDs that end in more than 2 octets, so that its memory has longer addresses
// (2.1, 5).
bool has_longer_addresses(const Seen& seen) {
  const auto& format = seen.connection.management.of(seen.message.sender).jcp_format;
  return format && format->memory_octets() > 2;
}

// A displacement needs a base: in a sequence before it, in a transaction in any instruction.
void judge_displacement(Judge& judge, const Seen& seen, ObservedChain& chain, bool ends) {
  if (chain.in_fragments || !has_longer_addresses(seen)) return;
  const bool is_short = has_short_address(seen);
  chain.base_needed |= is_short;
  const bool is_due = chain.kind == ObservedChainKind::sequence ? is_short : ends && chain.base_needed;
  if (is_due)
    require_of_chain(judge, seen, rule<"UMSP-7.6-2">, chain.base_set, octets(0, 1), expected("_SET_MBASE in the chain"),
                     actual("an address of 2 octets, and none"),
                     "the receiver's GJIDs show that its addresses are longer");
}

}  // namespace

void judge_base(Judge& judge, const Seen& seen, ObservedChain& chain, bool ends) {
  const bool is_transaction = chain.kind == ObservedChainKind::transaction;
  if ((!is_transaction && chain.kind != ObservedChainKind::sequence) || !chain.complete) return;
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index) {
    if (seen.instruction.extensions[index].head_code != kCode) continue;
    if (is_transaction)
      require_of_chain(judge, seen, rule<"UMSP-7.6-11">, !chain.base_set, seen.extension(index),
                       expected("one base for a transaction"), actual("another one"));
    chain.base_set = true;
  }
  judge_displacement(judge, seen, chain, ends);
}

SectionTables base_tables() {
  return {.extensions = kExtensions};
}

}  // namespace wirelaw::umsp
