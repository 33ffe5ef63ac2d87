// SPDX-License-Identifier: Apache-2.0
// Results as one self-contained HTML page, to send, open and print: the overall result, what failed, coverage by
// section, each finding with its conversation and octets, each case.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_html(const Report& report, Output& out);

}  // namespace wirelaw
