// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/job_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Checks a GJID that a JCP assigns.
void check_unique_gjid(Judge& judge, const SeenInstruction& seen, const GjidFact::Holders& holders);

}  // namespace wirelaw::umsp
