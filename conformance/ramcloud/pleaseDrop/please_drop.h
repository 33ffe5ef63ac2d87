// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_please_drop(Judge& judge, const PacketFacts& facts);
// A server's packet that only one with pleaseDrop can have caused.
void check_dropped(Judge& judge);

}  // namespace wirelaw::ramcloud
