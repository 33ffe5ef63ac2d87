// SPDX-License-Identifier: Apache-2.0
// Follows how a JCP checks whether its nodes are active (RFC 3018 5.7).
#pragma once

#include "conformance/umsp/tracker/job_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

ActivityFacts follow_activity(const Seen& seen);
// Notes the time of the instruction. Called after all other facts about it were stated.
void note_time(const Seen& seen);

}  // namespace wirelaw::umsp
