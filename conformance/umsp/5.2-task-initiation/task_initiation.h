// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables task_tables();
void judge_task(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
