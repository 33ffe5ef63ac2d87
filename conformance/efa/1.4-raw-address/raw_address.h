// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// False where the address is not whole: a receiver has no use for the packet.
bool judge_raw_address(Judge& judge, const SeenPacket& seen, TraceState& state);

}  // namespace wirelaw::efa
