// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_eager_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
void check_longcts_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
// Called at the end of the flow.
void finish_write(Judge& judge, const Exchange& long_write, const TraceState& state);

}  // namespace wirelaw::efa
