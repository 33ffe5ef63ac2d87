// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_resumed_write(Judge& judge);
void finish_refused_writes(Judge& judge, const TraceState& state);

}  // namespace wirelaw::efa
