// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables job_tables();
void judge_job(Judge& judge, const Seen& seen);

}  // namespace wirelaw::umsp
