// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_read_request(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
extern const ClaimRow kReadClaims[1];

}  // namespace wirelaw::efa
