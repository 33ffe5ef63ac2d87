// SPDX-License-Identifier: Apache-2.0
// Results as a short Markdown page for CI jobs: the overall result, what failed, coverage by section.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_markdown(const Report& report, Output& out);

// Escapes text for a table cell, so that none of it is markup.
std::string in_markdown(std::string_view text);

}  // namespace wirelaw
