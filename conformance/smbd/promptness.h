// SPDX-License-Identifier: Apache-2.0
// What a side owes within a time. Time proves no breach: a message may take long to come to the capture, or be lost
// before it and sent again. So what is not done in time is a warning.
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_owed(Judge& judge, const OwedFact& fact);

}  // namespace wirelaw::smbd
