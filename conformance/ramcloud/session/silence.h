// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

// Called at the end of a flow.
void check_open_answered(Judge& judge, const OpenFact& fact);
void check_request_answered(Judge& judge, const LastRpcFact& fact);

}  // namespace wirelaw::ramcloud
