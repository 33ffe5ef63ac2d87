// SPDX-License-Identifier: Apache-2.0
// Functions shared by long reads (4.1), runting reads (4.5) and READ_NACK (4.7): requests whose data the other side
// reads.
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Begins the exchange of a LONGREAD request, or of the first RUNTREAD packet of a message. The rule `free` judges its
// send_id. Returns nullptr if the packet is a duplicate.
Exchange* begin_read(Judge& judge, const Rule& free, const SeenPacket& seen, TraceState& state);
// Judges read_iov: by the rule `some` it names at least one buffer, by `sum` its lengths add up to msg_length.
bool judge_source(Judge& judge, const SeenPacket& seen, const Rule& some, const Rule& sum);
// True if an EOR or READ_NACK that names no request may still be right: some request in progress has shown several
// send_ids, so not all of its IDs are known.
bool may_end_another(const SeenPacket& seen, TraceState& state);
// Reports an EOR or READ_NACK for a request that already had the other one, and returns false then (4.7-read-nack).
bool judge_eor_or_nack(Judge& judge, const SeenPacket& seen, Exchange& read, const TraceState& state);

// The readings of runt_length (EFA/A-04) that the packets of one message allow: bits of Exchange::reading.
inline constexpr std::uint64_t kOfMessage = 1, kOfPacket = 2;
// Octets of the runting message that RUNTREAD packets must bring; 0 if unknown.
inline std::uint64_t runt_octets(const Exchange& message) {
  return (message.reading & kOfMessage) != 0 ? message.runt_length : 0;
}

// Called at the end of the flow.
void finish_read_data(Judge& judge, const Exchange& without_eor, const TraceState& state);  // 4.1-eor
void finish_runting(Judge& judge, const Exchange& message, const TraceState& state);        // 4.5-runting-read
void finish_refused(Judge& judge, const Exchange& message, const TraceState& state);        // 4.7-read-nack

}  // namespace wirelaw::efa
