// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Judges the profiles in a SESSION_OPEN.
void judge_profiles(Judge& judge, const Seen& seen);
// Judges that the instruction uses only what its receiver offers, in a session or without one.
void judge_by_profile(Judge& judge, const Seen& seen, const ObservedSession& session);
void judge_by_zero_profile(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
