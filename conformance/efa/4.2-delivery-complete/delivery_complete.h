// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_receipt(Judge& judge, const SeenPacket& seen, const ReceiptFact& fact);
// Part of judge_send_id(), if `older`, the operation that has the ID, waits for a RECEIPT.
void judge_receipted_send_id(Judge& judge, const SeenPacket& seen, const Exchange* older);
// Part of judge_medium_message(): of a segment that is not the first.
bool judge_segment_send_id(Judge& judge, const SeenPacket& seen, const Exchange& exchange);
// Checks a RECEIPT that came before data of its operation, or before a CTS that allows more.
void check_early_receipt(Judge& judge, const SeenPacket& seen, const Message& receipt, std::string_view shown_by,
                         std::string_view explanation);
// Parts of finish_messages(): judge a RECEIPT that does not come, and one for an operation whose data never came.
void finish_receipts(Judge& judge, const Exchange& exchange, const TraceState& state);
void finish_early_receipt(Judge& judge, const Exchange& exchange, const TraceState& state);

}  // namespace wirelaw::efa
