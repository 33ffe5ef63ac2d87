// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Every buffer that the packet describes: `array` is its rma_iov or its read_iov.
void judge_buffers(Judge& judge, const SeenPacket& seen, Array array);
// Checks an answer of a kind that comes once. A repetition with the same octets is only a warning (EFA/A-71).
void check_single_answer(Judge& judge, const SeenPacket& seen, const Rule& rule, const AnswerFact& fact);
// Judges reads and atomics at the end of the flow.
void finish_one_sided(Judge& judge, TraceState& state);

}  // namespace wirelaw::efa
