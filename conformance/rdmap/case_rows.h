// SPDX-License-Identifier: Apache-2.0
// The words of conformance/case_rows.h.
#pragma once

#include "conformance/case_rows.h"

namespace wirelaw::rdmap {

using rows::add_cases;
using rows::CaseRow;
using rows::cases_of;
using rows::cases_of_tables;
using rows::CaseText;
using rows::RoleBodies;
using rows::RoleRuns;
using rows::run_of;
using rows::with;

}  // namespace wirelaw::rdmap
