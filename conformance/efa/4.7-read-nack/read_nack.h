// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_read_nack(Judge& judge, const SeenPacket& seen, const ReadEndFact& fact);
// Checks that a request is not ended by both EOR and READ_NACK.
void check_only_end(Judge& judge, const SeenPacket& seen, bool is_only_end);
void check_resumption(Judge& judge, const SeenPacket& seen, const ResumptionFact& fact);

}  // namespace wirelaw::efa
