// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_receipt(Judge& judge, const SeenPacket& seen, TraceState& state);
// Part of judge_send_id(), if `older`, the operation that has the ID, waits for a RECEIPT.
void judge_receipted_send_id(Judge& judge, const SeenPacket& seen, const Exchange* older);
// Part of judge_medium_message(): of a segment that is not the first.
bool judge_segment_send_id(Judge& judge, const SeenPacket& seen, const Exchange& exchange);
// Part of judge_fresh_data().
void judge_early_receipt(Judge& judge, const SeenPacket& seen, Exchange& exchange);
// Part of judge_cts(): false if its sender has sent the RECEIPT of the operation, and data is still missing.
bool judge_grant_after_receipt(Judge& judge, const SeenPacket& seen, Exchange& exchange);
// Parts of finish_messages(): judge a RECEIPT that does not come, and one for an operation whose data never came.
void finish_receipts(Judge& judge, const Exchange& exchange, const TraceState& state);
void finish_early_receipt(Judge& judge, const Exchange& exchange, const TraceState& state);

}  // namespace wirelaw::efa
