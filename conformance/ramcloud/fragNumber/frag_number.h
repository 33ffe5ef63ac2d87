// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_frag_number(Judge& judge, const PacketFacts& facts);  // of a message with a total
void check_fragment_data(Judge& judge, const PacketFacts& facts, bool is_same);

}  // namespace wirelaw::ramcloud
