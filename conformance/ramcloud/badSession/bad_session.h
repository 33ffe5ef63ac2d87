// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

void judge_bad_session(Judge& judge, const Seen& seen, bool from_client, std::optional<bool> hint_known);

}  // namespace wirelaw::ramcloud
