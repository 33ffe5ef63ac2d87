// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_facts.h"

namespace wirelaw::umsp {

SectionTables job_end_tables();
void check_job_end(Judge& judge, const SeenInstruction& seen, const JobEndFacts& facts);
// Checks a notice of the end of a task or a job that a JCP has not sent to the other node before the flow ended.
void check_missing_notice(Judge& judge, const MissingNoticeFact& fact);
// Checks a session of a job that its node has completed.
void check_missing_abend_of_job(Judge& judge, const MissingAbendFact& fact);

}  // namespace wirelaw::umsp
