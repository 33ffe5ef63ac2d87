// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// The profiles in a SESSION_OPEN.
void judge_profiles(Judge& judge, const Seen& seen);
// That the instruction keeps to what its receiver offers: in a session; without one.
void judge_by_profile(Judge& judge, const Seen& seen, const ObservedSession& session);
void judge_by_zero_profile(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
