// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_facts.h"

namespace wirelaw::umsp {

SectionTables job_tables();
void check_job(Judge& judge, const SeenInstruction& seen, const JobFacts& facts);
// Reports a node that was not notified of a job which its initiator has started again.
void check_former_job_notice(Judge& judge, const JobNotice& notice);

}  // namespace wirelaw::umsp
