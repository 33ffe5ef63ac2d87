// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_facts.h"

namespace wirelaw::umsp {

SectionTables task_end_tables();
void check_task_end(Judge& judge, const SeenInstruction& seen, const TaskEndFacts& facts);
// Checks a notice of a JCP to the other node that a task has ended, which was due and never came.
void check_task_notice(Judge& judge, const JobNotice& notice);
// Checks a session of a task that its node has ended.
void check_missing_abend_of_task(Judge& judge, const MissingAbendFact& fact);

}  // namespace wirelaw::umsp
