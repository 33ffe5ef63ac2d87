// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

void judge_client_hint(Judge& judge, const Seen& seen);  // session set
void judge_client_hint_in_open_response(Judge& judge, const Seen& seen, bool echoed);

}  // namespace wirelaw::ramcloud
