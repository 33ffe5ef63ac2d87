// SPDX-License-Identifier: Apache-2.0
// Results as JUnit XML: a suite of each protocol's cases, and the suite "rules" with a test case a rule.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_junit(const Report& report, Output& out);

}  // namespace wirelaw
