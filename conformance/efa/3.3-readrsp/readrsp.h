// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

extern const ClaimRow kReadrspClaims[2];
void check_readrsp(Judge& judge, const SeenPacket& seen, const ReadrspFact& fact);

}  // namespace wirelaw::efa
