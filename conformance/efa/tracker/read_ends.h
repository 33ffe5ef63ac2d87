// SPDX-License-Identifier: Apache-2.0
// Follows what ends the reading of a request's data: EOR (4.1), or READ_NACK and the request that resumes it (4.7).
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/efa/tracker/trace_state.h"

namespace wirelaw::efa {

ReadEndFact follow_eor(const SeenPacket& seen, TraceState& state);
ReadEndFact follow_read_nack(const SeenPacket& seen, TraceState& state);

// Returns true if the packet is a LONGCTS_RTM with the msg_id of a message that was refused by READ_NACK, and so begins
// no new message.
bool follows_read_nack(const SeenPacket& seen, TraceState& state);
// Follows a LONGCTS_RTM if it resumes such a message.
ResumptionFact follow_resumption(const SeenPacket& seen, TraceState& state);
// Returns true if a LONGCTS_RTW sends a write again that was refused. Such a write is a new request (EFA/A-17).
bool resumes_write(const SeenPacket& seen, TraceState& state);

// Another answer of a kind that comes once, to an exchange that has one. Empty if the request was repeated too.
std::optional<AnswerFact> another_answer(const Exchange& exchange, const TraceState& state);

}  // namespace wirelaw::efa
