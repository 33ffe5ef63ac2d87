// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

// A side continues after a Data Transfer that requires it to end the connection.
void check_transfer_refused(Judge& judge, const AcceptedFact& fact);

}  // namespace wirelaw::smbd
