// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Judges the profiles in a SESSION_OPEN.
void judge_profiles(Judge& judge, const SeenInstruction& seen);
// Checks that the instruction uses only what its receiver offers, in a session or without one.
void check_profile(Judge& judge, const SeenInstruction& seen, const ProfileFact& fact);

}  // namespace wirelaw::umsp
