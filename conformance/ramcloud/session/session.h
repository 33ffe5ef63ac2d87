// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

// `known`: the packet's session was opened before, as far as the trace shows.
void judge_session_before_data(Judge& judge, const Seen& seen, bool known);
// At the first packet of a new RPC: `previous` is the RPC before it on the channel.
void judge_one_rpc_per_channel(Judge& judge, const Seen& seen, const Exchange& previous);

}  // namespace wirelaw::ramcloud
