// SPDX-License-Identifier: Apache-2.0
// Results as SARIF 2.1.0 (OASIS), which code scanning reads: findings, cases that failed without one, and what hindered
// the run.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_sarif(const Report& report, Output& out);

// A name of an input as the URI reference of an artifact: that of a live peer is made a relative one,
// udp/192.0.2.1%3A7, since code scanning takes no scheme but file.
std::string uri_reference(std::string_view input);

}  // namespace wirelaw
