// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables task_end_tables();
void judge_task_end(Judge& judge, const Seen& seen);
// At the end of the flow, of a notice of a JCP that a task has ended, which was due to the other node.
void judge_task_notice(Judge& judge, const JobNotice& notice);

}  // namespace wirelaw::umsp
