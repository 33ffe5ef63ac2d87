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

void check_base(Judge& judge, const Seen& seen, const BaseFact& fact) {
  bool has_base = fact.had_base.value_or(false);
  for (std::size_t index = 0; fact.had_base && index < seen.instruction.extensions.size(); ++index) {
    if (seen.instruction.extensions[index].head_code != kCode) continue;
    require_of_chain(judge, seen, rule<"UMSP-7.6-11">, !has_base, seen.extension(index),
                     expected("one base for a transaction"), actual("another one"));
    has_base = true;
  }
  if (fact.has_base)
    require_of_chain(judge, seen, rule<"UMSP-7.6-2">, *fact.has_base, octets(0, 1), expected("_SET_MBASE in the chain"),
                     actual("an address of 2 octets, and none"),
                     "the receiver's GJIDs show that its addresses are longer");
}

SectionTables base_tables() {
  return {.extensions = kExtensions};
}

}  // namespace wirelaw::umsp
