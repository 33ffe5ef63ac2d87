// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

// `alive_ns`: when each side sent its latest packet. One that sends nothing more may have been ended (RAMCLOUD/R42).
using AliveNs = std::array<std::int64_t, 2>;
void judge_open_answered(Judge& judge, const PendingOpen& open, const AliveNs& alive_ns);
void judge_request_answered(Judge& judge, const Session& session, const Exchange& exchange, const AliveNs& alive_ns);

}  // namespace wirelaw::ramcloud
