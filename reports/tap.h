// SPDX-License-Identifier: Apache-2.0
// TAP 13 (testanything.org): one line for each case and each rule that was judged, with YAML below what failed. A
// failure that fails no run is a TODO, which TAP's readers do not count; what was not concluded is skipped.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_tap(const Report& report, Output& out);

}  // namespace wirelaw
