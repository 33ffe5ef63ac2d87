// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.6: addresses as displacements from a base.
#include "conformance/umsp/7.6-base/base.h"

#include "conformance/umsp/7.6-base/rules.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_account.h"

namespace wirelaw::umsp {
namespace {

void judge_set_mbase(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  judge.require(rule<"UMSP-7.6-5">, is_without_more(seen, index), seen.extension_data(index),
                expected("4, 8 or 16 octets"),
                actual([&] { return fmt::format("{} octets", seen.instruction.extensions[index].data.size()); }));
  judge.require(rule<"UMSP-7.6-3">, can_be_chained(seen.header()), seen.field(HeaderField::chn), expected("CHN 1"),
                actual("CHN 0"));
}

constexpr ExtensionRules kExtensions[] = {{.head_code = HeadCode::set_mbase,
                                           .hob = &rule<"UMSP-7.6-6">,
                                           .data = &rule<"UMSP-7.6-5">,
                                           .judge = judge_set_mbase}};

constexpr ClaimRow kClaims[] = {
    {Claim::sets_first_base, &rule<"UMSP-7.6-11">, "one base for a transaction", "another one"},
    {Claim::has_base, &rule<"UMSP-7.6-2">, "_SET_MBASE in the chain", "an address of 2 octets, and none",
     "the receiver's GJIDs show that its addresses are longer"},
};

}  // namespace

SectionTables base_tables() {
  return {.extensions = kExtensions, .claims = kClaims};
}

}  // namespace wirelaw::umsp
