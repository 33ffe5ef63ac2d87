// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void finish_messages(Judge& judge, const TraceState& state);

}  // namespace wirelaw::efa
