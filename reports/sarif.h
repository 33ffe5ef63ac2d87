// SPDX-License-Identifier: Apache-2.0
// Results as SARIF 2.1.0 (OASIS) for code scanning: findings, cases that failed without a finding, and what hindered
// the run.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_sarif(const Report& report, Output& out);

// Converts the name of an input to the URI reference of an artifact. The URI of a live peer becomes a relative one,
// udp/192.0.2.1%3A7, because code scanning accepts only the scheme "file".
std::string uri_reference(std::string_view input);

}  // namespace wirelaw
