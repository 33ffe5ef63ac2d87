// SPDX-License-Identifier: Apache-2.0
// Follows the requests of one-sided operations (3.3), and those whose data is read (4.1, 4.5).
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/efa/tracker/trace_state.h"

namespace wirelaw::efa {

RequestFact follow_longread(const SeenPacket& seen, TraceState& state);
RequestFact follow_eager_write(const SeenPacket& seen, TraceState& state);
RequestFact follow_longcts_write(const SeenPacket& seen, TraceState& state);
RequestFact follow_read_request(const SeenPacket& seen, TraceState& state);

// Begins the exchange of a request. Its ID belonged to the exchange `before` (nullptr: to none), which still waits if
// `in_use`, and which the request may repeat. Returns nullptr if it does.
Exchange* begin_request(RequestFact& fact, const SeenPacket& seen, TraceState& state, Exchange* before, bool in_use,
                        bool may_repeat);
// The same for a request with a send_id.
Exchange* begin_request(RequestFact& fact, const SeenPacket& seen, TraceState& state);
// Returns true if read_iov has the data of the request.
bool has_source(const SeenPacket& seen, const RequestFact& fact);

}  // namespace wirelaw::efa
