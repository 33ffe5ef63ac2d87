// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables task_end_tables();
void judge_task_end(Judge& judge, const Seen& seen);
// Called when the flow ends, for a notice of a JCP to the other node that a task has ended, which was due.
void judge_task_notice(Judge& judge, const JobNotice& notice);

}  // namespace wirelaw::umsp
