// SPDX-License-Identifier: Apache-2.0
// Follows how a node puts a job under a JCP, and registers tasks there (RFC 3018 5 to 5.2).
#pragma once

#include "conformance/umsp/tracker/job_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Called before the other facts about the instruction are stated.
ManagementFacts follow_management(const Seen& seen);
JobFacts follow_job(const Seen& seen);
TaskFacts follow_task(const Seen& seen);

}  // namespace wirelaw::umsp
