// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_read_nack(Judge& judge, const SeenPacket& seen, const ReadEndFact& fact);
// Checks that a request is not ended by both EOR and READ_NACK.
void check_only_end(Judge& judge, const SeenPacket& seen, bool is_only_end);
void check_resumption(Judge& judge, const SeenPacket& seen, const ResumptionFact& fact);
// A READ_NACK may refuse a write as well. The requester then sends the write as a LONGCTS_RTW, a new request with all
// its data (EFA/A-17).
void check_resumed_write(Judge& judge);
extern const ClaimRow kNackClaims[3];

}  // namespace wirelaw::efa
