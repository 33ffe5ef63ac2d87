// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Every buffer that the packet describes: `array` is its rma_iov or its read_iov.
void judge_buffers(Judge& judge, const SeenPacket& seen, Array array);
// Another answer of a kind that comes once, to an exchange that has one. The `rule` is broken unless the request was
// repeated too. A repetition with the same octets is only a warning (EFA/A-71).
void judge_another_answer(Judge& judge, const SeenPacket& seen, const Rule& rule, Exchange& exchange,
                          const TraceState& state);
// Judges reads and atomics at the end of the flow.
void finish_one_sided(Judge& judge, TraceState& state);

}  // namespace wirelaw::efa
