// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_eager_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
void check_longcts_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
extern const ClaimRow kWriteClaims[1];

}  // namespace wirelaw::efa
