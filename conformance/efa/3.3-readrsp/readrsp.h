// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void finish_read(Judge& judge, const Exchange& unanswered, const TraceState& state);
void check_readrsp(Judge& judge, const SeenPacket& seen, const ReadrspFact& fact);

}  // namespace wirelaw::efa
