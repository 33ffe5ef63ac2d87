// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

void judge_first_rpc_id(Judge& judge, const Seen& seen);  // session set
// `is_settled`: the RPC before may not be an old one, whose packet came late.
void judge_next_rpc_id(Judge& judge, const Seen& seen, const Exchange& previous, bool is_settled);  // session set
void judge_server_rpc_id(Judge& judge, const Seen& seen, Channel& channel);                         // session set

}  // namespace wirelaw::ramcloud
