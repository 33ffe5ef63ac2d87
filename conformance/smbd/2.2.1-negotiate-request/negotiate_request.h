// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_request_first(Judge& judge, bool is_data);
// False where the request ends inside its fields.
bool judge_request_whole(Judge& judge, const Message& message);
// False where the range of versions is empty, and neither end of it can be judged.
bool judge_request_range(Judge& judge, const NegotiateRequest& request);
// What a listener insists on. False where it will not go on.
bool judge_request_values(Judge& judge, const NegotiateRequest& request);
// Whether the message as a whole fits into a receive of its receiver.
void judge_within_receive(Judge& judge, const Seen& seen);

}  // namespace wirelaw::smbd
