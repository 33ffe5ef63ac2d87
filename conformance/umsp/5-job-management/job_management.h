// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/job_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Checks that the instruction may use its transport.
void check_transport(Judge& judge, const SeenInstruction& seen);
void check_management(Judge& judge, const SeenInstruction& seen, const ManagementFacts& facts);

}  // namespace wirelaw::umsp
