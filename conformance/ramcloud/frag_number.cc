// SPDX-License-Identifier: Apache-2.0
// "fragNumber"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, fragNumber"};

constinit const Rule kFragNumberBelowTotal =
    kSection.must("RAMCLOUD-fragNumber-1", "Fragments are numbered from 0, so that every number is below totalFrags.");
constinit const Rule kFragmentKeepsItsData = kSection.must(
    "RAMCLOUD-fragNumber-5", "A number names one fragment of a message: whenever it is sent, its data are the same.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kFragNumberBelowTotal, {frag_number_from_one}),
    broken_by(kFragmentKeepsItsData, {retransmit_differs, resend_differs, old_rpc_executed, re_executes_duplicate}));

}  // namespace

RuleList frag_number_rules() {
  static constexpr const Rule* kRules[] = {&kFragNumberBelowTotal, &kFragmentKeepsItsData};
  return kRules;
}

BreachList frag_number_breaches() {
  return kBreaches;
}

bool judge_frag_number(Judge& judge, const Seen& seen, const Transfer& transfer) {
  return judge.require(kFragNumberBelowTotal, seen.header().frag_number < transfer.total_frags, field::kFragNumber,
                       expected([&] { return fmt::format("below {}", transfer.total_frags); }),
                       actual(seen.header().frag_number), "the message has no such fragment");
}

void judge_fragment_data(Judge& judge, const Seen& seen, Transfer& transfer) {
  if (seen.message.is_cut()) return;
  const std::uint32_t now = fingerprint(seen.packet.payload);
  const std::uint32_t before = transfer.fingerprints.exchange(seen.header().frag_number, now);
  if (before == 0) return;
  judge.require(kFragmentKeepsItsData, before == now, field::payload(seen.packet),
                expected("the data of the first time that this fragment was sent"),
                actual("other data (compared: length, first and last eight octets)"),
                "one fragment number of one message was sent with differing data");
}

}  // namespace wirelaw::ramcloud
