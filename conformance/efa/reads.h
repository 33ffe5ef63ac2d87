// SPDX-License-Identifier: Apache-2.0
// What long reads (4.1), runting reads (4.5) and READ_NACK (4.7) share: requests of which the other side reads the
// data.
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Begins the exchange of a LONGREAD request, or of the first RUNTREAD packet of a message; `free` judges its send_id.
// nullptr where the packet came twice.
Exchange* begin_read(Judge& judge, const Rule& free, const SeenPacket& seen, TraceState& state);
// read_iov: that it names `some` buffer, and that its lengths have the `sum` msg_length.
bool judge_source(Judge& judge, const SeenPacket& seen, const Rule& some, const Rule& sum);
// Whether an EOR or a READ_NACK that names no request may still be right: one of which not all is known, since packets
// of it had several send_ids, is under way.
bool may_end_another(const SeenPacket& seen, TraceState& state);
// An EOR or a READ_NACK about a request that had the other before it is reported. False where it had.
// (4.7-read-nack)
bool judge_eor_or_nack(Judge& judge, const SeenPacket& seen, Exchange& read, const TraceState& state);

// Which readings of runt_length (EFA/A-04) the packets of one message leave: Exchange::reading.
inline constexpr std::uint64_t kOfMessage = 1, kOfPacket = 2;
// Octets of the runting message that RUNTREAD packets must bring; 0 where that is not known.
inline std::uint64_t runt_octets(const Exchange& message) {
  return (message.reading & kOfMessage) != 0 ? message.runt_length : 0;
}

// At the end of the flow.
void finish_read_data(Judge& judge, const Exchange& without_eor, const TraceState& state);  // 4.1-eor
void finish_runting(Judge& judge, const Exchange& message, const TraceState& state);        // 4.5-runting-read
void finish_refused(Judge& judge, const Exchange& message, const TraceState& state);        // 4.7-read-nack

}  // namespace wirelaw::efa
