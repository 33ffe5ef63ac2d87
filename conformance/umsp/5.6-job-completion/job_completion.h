// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables job_end_tables();
void judge_job_end(Judge& judge, const Seen& seen);
// At the end of the flow, of what a JCP owed to the other node: that a task, or the job, has ended.
void judge_notices(Judge& judge, const Connection& connection);

}  // namespace wirelaw::umsp
