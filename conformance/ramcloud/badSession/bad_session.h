// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_bad_session(Judge& judge, const PacketFacts& facts, const BadSessionFact& fact);
void check_served_after_refusal(Judge& judge, const ServedFact& fact);

}  // namespace wirelaw::ramcloud
