// SPDX-License-Identifier: Apache-2.0
// "flags.pleaseDrop": what a trace can show of it.
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, flags.pleaseDrop"};

constinit const Rule kPleaseDropOnlyForTests = kSection.should_not(
    "RAMCLOUD-pleaseDrop-3", "The flag serves tests alone and is clear in production traffic.", "RAMCLOUD/R39");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kPleaseDropOnlyForTests, {please_drop_sent}, {.severity = Severity::warning}));

}  // namespace

RuleList please_drop_rules() {
  static constexpr const Rule* kRules[] = {&kPleaseDropOnlyForTests};
  return kRules;
}

BreachList please_drop_breaches() {
  return kBreaches;
}

void judge_please_drop(Judge& judge, const Seen& seen) {
  judge.advise(kPleaseDropOnlyForTests, !seen.header().flags.please_drop, field::kFlags, expected("pleaseDrop 0"),
               actual("pleaseDrop 1"), "fine where a test of loss was meant");
}

}  // namespace wirelaw::ramcloud
