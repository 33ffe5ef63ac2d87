// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

// The packet's totalFrags is not 0.
void check_frag_number(Judge& judge, const PacketFacts& facts);
void check_fragment_data(Judge& judge, const PacketFacts& facts, bool is_same);

}  // namespace wirelaw::ramcloud
