// SPDX-License-Identifier: Apache-2.0
// A run's result in one line, with its exit status.
#pragma once

#include "reports/report.h"

namespace wirelaw {

std::string bottom_line(const Report& report);

// True if any rule was exercised, or any case ran.
bool anything_judged(const Results& results);

}  // namespace wirelaw
