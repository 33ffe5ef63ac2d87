// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_facts.h"

namespace wirelaw::umsp {

SectionTables task_tables();
void check_task(Judge& judge, const SeenInstruction& seen, const TaskFacts& facts);

}  // namespace wirelaw::umsp
