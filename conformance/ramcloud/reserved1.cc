// SPDX-License-Identifier: Apache-2.0
// "flags.reserved1": what a trace can show of it.
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, flags.reserved1"};

constinit const Rule kReserved1Clear =
    kSection.must_not("RAMCLOUD-reserved1-1", "The reserved flag is not set.", "RAMCLOUD/R40");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kReserved1Clear, {reserved1_sent}));

}  // namespace

RuleList reserved1_rules() {
  static constexpr const Rule* kRules[] = {&kReserved1Clear};
  return kRules;
}

BreachList reserved1_breaches() {
  return kBreaches;
}

void judge_reserved1(Judge& judge, const Seen& seen) {
  judge.require(kReserved1Clear, !seen.header().flags.reserved1, field::kFlags, expected("reserved1 0"),
                actual("reserved1 1"), "a reserved flag is set");
}

}  // namespace wirelaw::ramcloud
