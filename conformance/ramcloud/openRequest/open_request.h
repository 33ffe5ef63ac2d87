// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_open_request(Judge& judge, const PacketFacts& facts);

}  // namespace wirelaw::ramcloud
