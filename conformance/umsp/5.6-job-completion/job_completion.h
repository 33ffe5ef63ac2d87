// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables job_end_tables();
void judge_job_end(Judge& judge, const Seen& seen);
// Called when the flow ends, for notices of the end of a task or job that a JCP has not sent to the other node.
void judge_notices(Judge& judge, const Connection& connection);

}  // namespace wirelaw::umsp
