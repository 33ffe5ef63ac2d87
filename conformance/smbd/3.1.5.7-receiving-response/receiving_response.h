// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_silent_after_failure(Judge& judge, bool is_silent);
// The initiator continues after a response that requires it to end the connection.
void check_response_refused(Judge& judge, Refusal demand);
// The rule that a refusal is demanded by, of this section or of 3.1.5.6.
const Rule& rule_of(Refusal demand);

}  // namespace wirelaw::smbd
