// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

extern const ClaimRow kRuntClaims[1];
void check_runting_message(Judge& judge, const SeenPacket& seen, const RuntreadFact& fact);

}  // namespace wirelaw::efa
