// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_eager_write(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_longcts_write(Judge& judge, const SeenPacket& seen, TraceState& state);
// Called at the end of the flow.
void finish_write(Judge& judge, const Exchange& long_write, const TraceState& state);

}  // namespace wirelaw::efa
