// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_runting_message(Judge& judge, const SeenPacket& seen, TraceState& state);

}  // namespace wirelaw::efa
