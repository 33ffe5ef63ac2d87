// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_silent_after_failure(Judge& judge, bool silent);
// What makes an initiator end the connection after a response of success; nullptr: nothing.
const Rule* rule_that_ends(const NegotiateResponse& response, const Negotiated* request);
// The initiator goes on, whatever it sends.
void judge_response_refused(Judge& judge, Way& initiator);

}  // namespace wirelaw::smbd
