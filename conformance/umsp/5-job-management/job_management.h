// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

void judge_management(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
