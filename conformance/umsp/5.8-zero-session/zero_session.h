// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

bool is_of_zero_session(const Seen& seen);
void judge_zero_session(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
