// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_cts(Judge& judge, const SeenPacket& seen, const CtsFact& fact);
// Checks that none of the packet's data has been sent before. `fresh`: the octets that have not.
void check_unsent(Judge& judge, const SeenPacket& seen, const Rule& rule, std::uint64_t fresh);
// Checks earlier packets of the other side, as the data of this packet shows them.
void check_fresh_data(Judge& judge, const SeenPacket& seen, const FreshDataFact& fact);

}  // namespace wirelaw::efa
