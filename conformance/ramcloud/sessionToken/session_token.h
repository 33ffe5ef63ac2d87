// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

// `session` is the one that the packet must belong to by its hints.
void judge_session_token(Judge& judge, const Seen& seen, const Session& session);
void judge_new_token(Judge& judge, const Seen& seen, const Session* holder);

}  // namespace wirelaw::ramcloud
