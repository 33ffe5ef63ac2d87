// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_extra(Judge& judge, const SeenPacket& seen, const ExtraFact& fact);
void check_early_extra(Judge& judge, Side side, const EarlyExtraFact& fact);

}  // namespace wirelaw::efa
