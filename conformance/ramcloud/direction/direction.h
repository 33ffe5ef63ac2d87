// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

// `evidence`: what it rests on that the sender has the role in which it is judged.
void judge_direction(Judge& judge, const Seen& seen, Evidence evidence = Evidence::octets);

}  // namespace wirelaw::ramcloud
