// SPDX-License-Identifier: Apache-2.0
// Results as one page for people, which is sent, opened and printed without anything beside it: what it comes to, what
// failed first, coverage by section, each finding with its conversation and octets, each case.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_html(const Report& report, Output& out);

}  // namespace wirelaw
