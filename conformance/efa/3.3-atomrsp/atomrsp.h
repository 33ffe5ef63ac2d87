// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void finish_atomic(Judge& judge, const Exchange& unanswered, const TraceState& state);
void check_atomrsp(Judge& judge, const SeenPacket& seen, const AtomrspFact& fact);

}  // namespace wirelaw::efa
