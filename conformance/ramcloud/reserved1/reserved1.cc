// SPDX-License-Identifier: Apache-2.0
// "flags.reserved1": checks on a trace.
#include "conformance/ramcloud/reserved1/reserved1.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/reserved1/rules.h"

namespace wirelaw::ramcloud {

void check_reserved1(Judge& judge, const PacketFacts& facts) {
  judge.require(rule<"RAMCLOUD-reserved1-1">, !facts.header().flags.reserved1, field::kFlags, expected("reserved1 0"),
                actual("reserved1 1"), "a reserved flag is set");
}

}  // namespace wirelaw::ramcloud
