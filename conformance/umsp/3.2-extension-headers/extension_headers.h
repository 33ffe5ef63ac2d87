// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

void judge_extension_headers(Judge& judge, const SeenInstruction& seen);

}  // namespace wirelaw::umsp
