// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

extern const ClaimRow kEorClaims[1];
void check_eor(Judge& judge, const SeenPacket& seen, const ReadEndFact& fact);
// Checks that the send_id of an EOR or a READ_NACK is that of a request whose data is to be read.
void check_read(Judge& judge, const SeenPacket& seen, const Rule& rule, const ReadFact& fact);

}  // namespace wirelaw::efa
