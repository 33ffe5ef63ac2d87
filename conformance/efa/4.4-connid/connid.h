// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_connid(Judge& judge, const SeenPacket& seen, const ConnidFact& fact);
// Checks a raw address against the connid in the headers of earlier packets.
void check_connid_of_address(Judge& judge, const SeenPacket& seen, std::uint32_t connid, std::uint32_t before);
void check_stray_connid(Judge& judge, Side side, const StrayConnidFact& fact);
void judge_connid_unannounced(Judge& judge, const SeenPacket& seen, OctetRange where);

}  // namespace wirelaw::efa
