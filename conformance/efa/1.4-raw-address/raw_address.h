// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_raw_address(Judge& judge, const SeenPacket& seen, const RawAddressFact& fact);
void check_replacement(Judge& judge, const ReplacementFact& fact);

}  // namespace wirelaw::efa
