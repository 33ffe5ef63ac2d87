// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/tracker/parties.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Judges a GJID that a JCP assigns.
void judge_unique_gjid(Judge& judge, const Seen& seen, const Parties& parties, const Identifier& gjid,
                       const ManagementRequest& request);

}  // namespace wirelaw::umsp
