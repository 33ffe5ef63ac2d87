// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_facts.h"

namespace wirelaw::umsp {

SectionTables activity_tables();
void check_activity(Judge& judge, const SeenInstruction& seen, const ActivityFacts& facts);
// Check a STATE_REQ that was not sent, and one that was not answered, before the flow ended.
void check_missing_question(Judge& judge, const MissingQuestionFact& fact);
void check_missing_state(Judge& judge, const MissingStateFact& fact);
// Check _INACTION_TIME in a TASK_REG, and in the answer to `request`.
void check_inaction_of_registration(Judge& judge, const SeenInstruction& seen, bool has_active_task);
void check_inaction_of_answer(Judge& judge, const SeenInstruction& seen, const ManagementRequest& request);

}  // namespace wirelaw::umsp
