// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

void judge_reserved1(Judge& judge, const Seen& seen);

}  // namespace wirelaw::ramcloud
