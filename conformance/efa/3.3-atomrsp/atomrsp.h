// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

extern const ClaimRow kAtomrspClaims[1];
void check_atomrsp(Judge& judge, const SeenPacket& seen, const AtomrspFact& fact);

}  // namespace wirelaw::efa
