// SPDX-License-Identifier: Apache-2.0
// TAP 13 (testanything.org): one line for each judged case and rule, with YAML after a failure. A failure that does not
// fail the run is a TODO, which readers of TAP do not count. Inconclusive results are skipped.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_tap(const Report& report, Output& out);

}  // namespace wirelaw
