// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_response_first(Judge& judge, bool is_data);
bool check_response_answers(Judge& judge, const ResponseFact& fact);
bool check_response_whole(Judge& judge, const Message& message);
bool check_response_range(Judge& judge, const NegotiateResponse& response);
// Judges a successful response: the values that an initiator requires and, if the request was seen, its limits.
void check_response_values(Judge& judge, const NegotiateResponse& response, const ResponseFact& fact);
// An RDMA Write or Read of the listener, alone and together with the earlier ones for the same request.
void check_read_write_size(Judge& judge, const MoveFact& move);

}  // namespace wirelaw::smbd
