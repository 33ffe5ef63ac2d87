// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

// Of a success.
void judge_response_limits(Judge& judge, const NegotiateResponse& response, const Negotiated* request);
void judge_failure_status(Judge& judge, const NegotiateResponse& response);
// What makes a listener refuse the request; nullptr: nothing.
const Rule* rule_that_ends(const NegotiateRequest& request);
// The listener has answered with success: whether it has accepted a request that it must refuse.
void judge_request_refused(Judge& judge, Way& listener);

}  // namespace wirelaw::smbd
