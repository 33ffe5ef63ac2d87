// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_first_rpc_id(Judge& judge, const PacketFacts& facts, const FirstRpcFact& fact);
void check_next_rpc_id(Judge& judge, const PacketFacts& facts, const NextRpcFact& fact);
void check_server_rpc_id(Judge& judge, const PacketFacts& facts, const AnsweredRpcFact& fact);

}  // namespace wirelaw::ramcloud
