// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

// Returns true if totalFrags is a valid total.
bool check_total_frags(Judge& judge, const PacketFacts& facts, const FragmentFact& fact);
void check_response_after_request(Judge& judge, const AnsweredRequestFact& request);

}  // namespace wirelaw::ramcloud
