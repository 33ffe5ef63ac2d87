// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

bool judge_ack_payload(Judge& judge, const Seen& seen);
void judge_ack_subject(Judge& judge, const Seen& seen, bool known);
// `acknowledged` is the message that the ACK is about: the request for a server, the response for a client.
void judge_ack(Judge& judge, const Seen& seen, Transfer& acknowledged);

}  // namespace wirelaw::ramcloud
