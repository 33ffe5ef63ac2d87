// SPDX-License-Identifier: Apache-2.0
// Functions shared by long reads (4.1), runting reads (4.5) and READ_NACK (4.7): requests whose data the other side
// reads.
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Checks read_iov: by the rule `some` it names at least one buffer, by `sum` its lengths add up to msg_length.
bool check_source(Judge& judge, const SeenPacket& seen, const RequestFact& fact, const Rule& some, const Rule& sum);
// Checks that the send_id of an EOR or a READ_NACK is that of a request whose data is to be read (4.1-eor).
void check_read(Judge& judge, const SeenPacket& seen, const Rule& rule, const ReadFact& fact);

// Called at the end of the flow.
void finish_read_data(Judge& judge, const Exchange& without_eor, const TraceState& state);  // 4.1-eor
void finish_runting(Judge& judge, const Exchange& message, const TraceState& state);        // 4.5-runting-read
void finish_refused(Judge& judge, const Exchange& message, const TraceState& state);        // 4.7-read-nack

}  // namespace wirelaw::efa
