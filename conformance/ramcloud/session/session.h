// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_session_before_data(Judge& judge, const Header& header, bool is_open);
// Called at the first packet of a new RPC.
void check_one_rpc_per_channel(Judge& judge, const PacketFacts& facts, const PreviousRpcFact& previous);

}  // namespace wirelaw::ramcloud
