// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

bool judge_total_frags(Judge& judge, const Seen& seen, const Transfer& transfer);
void judge_response_after_request(Judge& judge, const Seen& seen, const Transfer& request);

}  // namespace wirelaw::ramcloud
