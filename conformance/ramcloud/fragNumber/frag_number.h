// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

bool judge_frag_number(Judge& judge, const Seen& seen, const Transfer& transfer);
void judge_fragment_data(Judge& judge, const Seen& seen, Transfer& transfer);

}  // namespace wirelaw::ramcloud
