// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_direction(Judge& judge, const PacketFacts& facts, const DirectionFact& fact);

}  // namespace wirelaw::ramcloud
