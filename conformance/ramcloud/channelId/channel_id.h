// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_client_channel(Judge& judge, const PacketFacts& facts, std::uint8_t max_channel);
void check_server_channel(Judge& judge, const PacketFacts& facts, bool is_used);

}  // namespace wirelaw::ramcloud
