// SPDX-License-Identifier: Apache-2.0
// "flags.reserved1": what a trace can show of it.
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constinit const Rule kReserved1Clear{"RAMCLOUD-reserved1-1",
                                     Level::must_not,
                                     Role::any,
                                     "RAMCloud RPC, flags.reserved1",
                                     Observable::trace,
                                     "The reserved flag is not set.",
                                     "R40"};

RuleList reserved1_rules() {
  static constexpr const Rule* kRules[] = {&kReserved1Clear};
  return kRules;
}

void judge_reserved1(Judge& judge, const Seen& seen) {
  judge.require(kReserved1Clear, !seen.header().flags.reserved1, field::kFlags, expected("reserved1 0"),
                actual("reserved1 1"), "a reserved flag is set");
}

}  // namespace wirelaw::ramcloud
