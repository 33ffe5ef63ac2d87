// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

void judge_client_channel(Judge& judge, const Seen& seen);                 // session set
void judge_server_channel(Judge& judge, const Seen& seen, bool was_used);  // session set

}  // namespace wirelaw::ramcloud
