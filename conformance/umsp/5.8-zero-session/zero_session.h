// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

void judge_zero_session(Judge& judge, const SeenInstruction& seen);

}  // namespace wirelaw::umsp
