// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void note_refused_write(const SeenPacket& seen, const Exchange& write, TraceState& state);
void note_long_write(Judge& judge, const SeenPacket& seen, TraceState& state);
void finish_refused_writes(Judge& judge, const TraceState& state);

}  // namespace wirelaw::efa
