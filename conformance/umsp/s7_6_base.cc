// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.6: addresses as displacements from a base.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kS7_6{"RFC 3018 7.6"};

constinit const Rule kBaseOfOneChain =
    kS7_6.by(Observable::stimulus).must("UMSP-7.6-1", "A memory base applies to the instructions of one chain.");
constinit const Rule kDisplacementsNeedBase =
    kS7_6.by(Observable::none)
        .must("UMSP-7.6-2", "Short addresses as displacements are used in chains with a base only.",
              "a short address is an address of a node that has short ones");
constinit const Rule kSetMbaseChained =
    kS7_6.must("UMSP-7.6-3", "_SET_MBASE is in an instruction of a chain: CHN is 1.");
constinit const Rule kSetMbaseCode =
    kS7_6.by(Observable::none).must("UMSP-7.6-4", "_SET_MBASE has HEAD_CODE 7.", "another code is another header");
constinit const Rule kSetMbaseLength = kS7_6.must("UMSP-7.6-5", "_SET_MBASE has 2, 4 or 8 words of DATA.");
constinit const Rule kSetMbaseHob = kS7_6.must("UMSP-7.6-6", "_SET_MBASE has HOB 1.");
constinit const Rule kSetMbaseAddress =
    kS7_6.by(Observable::none)
        .must("UMSP-7.6-7", "DATA of _SET_MBASE is the base address, 4, 8 or 16 octets.",
              "UMSP-7.6-5: any octets of that length are an address");
constinit const Rule kThreeOctetBase =
    kS7_6.by(Observable::stimulus)
        .must("UMSP-7.6-8", "A base address of 3 octets is in the last 3 of 4 octets, the first is 0.",
              "how long a node's addresses are is not in the instruction");
constinit const Rule kNotForTwoOctets =
    kS7_6.by(Observable::api)
        .must_not("UMSP-7.6-9", "Base and displacement are not used for nodes with 2-octet addresses.",
                  "how long a node's addresses are is not in the instruction");
constinit const Rule kSequenceBaseChanges =
    kS7_6.by(Observable::stimulus).must("UMSP-7.6-10", "The base of a sequence may change: the last one counts.");
constinit const Rule kTransactionBaseOnce =
    kS7_6.resting_on(Evidence::absence).must("UMSP-7.6-11", "The base of a transaction is set once.");
constinit const Rule kBaseTwiceNotExecuted =
    kS7_6.of(Role::responder)
        .by(Observable::stimulus)
        .must_not("UMSP-7.6-12", "A transaction whose base is set twice is not executed.");

constexpr auto kCode = static_cast<std::uint16_t>(HeadCode::set_mbase);

void judge_set_mbase(Judge& judge, const Seen& seen, std::size_t index) {
  judge.require(kSetMbaseLength, is_without_more(seen, index), seen.extension_data(index),
                expected("4, 8 or 16 octets"),
                actual([&] { return fmt::format("{} octets", seen.instruction.extensions[index].data.size()); }));
  const Header& header = seen.header();
  judge.require(kSetMbaseChained, header.chn || header.pck == Pck::same_chain, seen.field(HeaderField::chn),
                expected("CHN 1"), actual("CHN 0"));
}

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::set_mbase, .hob = &kSetMbaseHob, .data = &kSetMbaseLength, .judge = judge_set_mbase}};

}  // namespace

void judge_base(Judge& judge, const Seen& seen, ObservedChain& chain) {
  if (chain.kind != ObservedChainKind::transaction || !chain.complete) return;
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index) {
    if (seen.instruction.extensions[index].head_code != kCode) continue;
    judge.require(kTransactionBaseOnce, !chain.base_set, seen.extension(index), expected("one base for a transaction"),
                  actual("another one"));
    chain.base_set = true;
  }
}

UmspSection base_rules() {
  static constexpr const Rule* kRules[] = {&kBaseOfOneChain,      &kDisplacementsNeedBase, &kSetMbaseChained,
                                           &kSetMbaseCode,        &kSetMbaseLength,        &kSetMbaseHob,
                                           &kSetMbaseAddress,     &kThreeOctetBase,        &kNotForTwoOctets,
                                           &kSequenceBaseChanges, &kTransactionBaseOnce,   &kBaseTwiceNotExecuted};
  return {.rules = {.rules = kRules}, .extensions = kExtensions};
}

}  // namespace wirelaw::umsp
