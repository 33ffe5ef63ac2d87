// SPDX-License-Identifier: Apache-2.0
// Results as workflow commands of GitHub Actions, which the runner takes out of the log and shows as annotations.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_github(const Report& report, Output& out);

}  // namespace wirelaw
