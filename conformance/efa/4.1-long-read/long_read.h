// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_longread_message(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
void check_longread_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
// Judges, at the end of the flow, messages and writes whose data is read (4.1, 4.5, 4.7).
void finish_reads(Judge& judge, const TraceState& state);

}  // namespace wirelaw::efa
