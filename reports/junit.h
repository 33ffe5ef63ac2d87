// SPDX-License-Identifier: Apache-2.0
// Results as JUnit XML: a suite for the cases of each protocol, and the suite "rules" with a test case for each rule.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_junit(const Report& report, Output& out);

}  // namespace wirelaw
