// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_request_first(Judge& judge, bool is_data);
// Returns false if the request ends inside its fields.
bool check_request_whole(Judge& judge, const Message& message);
// Returns false if the range of versions is empty, so that neither end of it can be judged.
bool check_request_range(Judge& judge, const NegotiateRequest& request);
// The checks of a listener.
void check_request_values(Judge& judge, const NegotiateRequest& request);
// Checks that the whole message fits into a receive of its receiver.
void check_within_receive(Judge& judge, const Facts& facts, const TransferFact& transfer);

}  // namespace wirelaw::smbd
