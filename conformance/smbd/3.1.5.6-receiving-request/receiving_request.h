// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

// For a successful response.
void check_response_limits(Judge& judge, const NegotiateResponse& response, const ResponseFact& fact);
void check_failure_status(Judge& judge, const NegotiateResponse& response);
// The listener has answered with success a request that it must refuse.
void check_request_refused(Judge& judge, Refusal demand);
// It has answered such a request with a failure.
void check_failure_after_request(Judge& judge, Refusal demand, const NegotiateResponse& response);
// It has answered a request that is too short to be read, with either.
void check_short_request_unanswered(Judge& judge, Refusal demand, const NegotiateResponse& response);

}  // namespace wirelaw::smbd
