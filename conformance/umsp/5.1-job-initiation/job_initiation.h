// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables job_tables();
void judge_job(Judge& judge, const Seen& seen);
// Reports a node that was not notified of a job which its initiator has started again.
void judge_former_job_notice(Judge& judge, const JobNotice& notice);

}  // namespace wirelaw::umsp
