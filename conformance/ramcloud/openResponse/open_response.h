// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_open_response(Judge& judge, const PacketFacts& facts, const OpenResponseFact& fact);

}  // namespace wirelaw::ramcloud
