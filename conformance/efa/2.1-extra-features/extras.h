// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_extras(Judge& judge, const SeenPacket& seen, const TraceState& state);
void check_early_extra(Judge& judge, Side side, const EarlyExtraFact& fact);
void finish_early_extras(Judge& judge, Side side, const TraceState& state);

}  // namespace wirelaw::efa
