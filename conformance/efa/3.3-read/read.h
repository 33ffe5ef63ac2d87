// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_read_request(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
void finish_window(Judge& judge, const Exchange& long_read, const TraceState& state);

}  // namespace wirelaw::efa
