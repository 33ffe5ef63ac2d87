// SPDX-License-Identifier: Apache-2.0
// Checks of messages that a side must send within a time limit. Time proves no breach: a message may reach the capture
// late, or be lost before it and retransmitted. So a missed deadline is only a warning.
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_owed(Judge& judge, const OwedFact& fact);

}  // namespace wirelaw::smbd
