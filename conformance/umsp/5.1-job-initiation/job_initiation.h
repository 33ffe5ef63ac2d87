// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables job_tables();
void judge_job(Judge& judge, const Seen& seen);
// A node of a job that its initiator has begun again was not notified.
void judge_former_job_notice(Judge& judge, const JobNotice& notice);

}  // namespace wirelaw::umsp
