// SPDX-License-Identifier: Apache-2.0
// "flags.pleaseDrop": checks on a trace.
#include "conformance/ramcloud/pleaseDrop/please_drop.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/pleaseDrop/rules.h"

namespace wirelaw::ramcloud {

void check_please_drop(Judge& judge, const PacketFacts& facts) {
  judge.advise(rule<"RAMCLOUD-pleaseDrop-3">, !facts.header().flags.please_drop, field::kFlags,
               expected("pleaseDrop 0"), actual("pleaseDrop 1"), "fine where a test of loss was meant");
}

void check_dropped(Judge& judge) {
  judge.require(rule<"RAMCLOUD-pleaseDrop-1">, false, field::kFlags, expected("nothing"), actual("an answer"),
                "all that was sent asked to be dropped; or what did not was not captured", Evidence::absence);
}

}  // namespace wirelaw::ramcloud
