// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables activity_tables();
void judge_activity(Judge& judge, const Seen& seen);
// Judges _INACTION_TIME in a TASK_REG, and in the answer to `request`.
void judge_inaction_of_registration(Judge& judge, const Seen& seen);
void judge_inaction_of_answer(Judge& judge, const Seen& seen, const ManagementRequest& request);

}  // namespace wirelaw::umsp
