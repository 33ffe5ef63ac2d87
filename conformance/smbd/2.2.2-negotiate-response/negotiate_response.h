// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_response_first(Judge& judge, bool is_data);
bool judge_response_answers(Judge& judge, bool requested);
bool judge_response_whole(Judge& judge, const Message& message);
bool judge_response_range(Judge& judge, const NegotiateResponse& response);
// Judges a response of success by what an initiator insists on and, if the request was seen, by what that allows.
void judge_response_values(Judge& judge, const NegotiateResponse& response, const Negotiated* request);
// An RDMA Write or Read of the listener.
void judge_read_write_size(Judge& judge, const Way& from, std::uint64_t octets);

}  // namespace wirelaw::smbd
