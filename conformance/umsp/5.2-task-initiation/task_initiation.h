// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_facts.h"

namespace wirelaw::umsp {

SectionTables task_tables();
void check_task(Judge& judge, const SeenInstruction& seen, const TaskFacts& facts);
// Checks a SESSION_ACCEPT of a node that has never asked the JCP of the job.
void check_missing_sanction(Judge& judge, const MissingSanctionFact& fact);

}  // namespace wirelaw::umsp
