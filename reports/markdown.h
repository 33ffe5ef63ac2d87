// SPDX-License-Identifier: Apache-2.0
// Results as a short page in Markdown, for job pages: the overall result, what failed, coverage by section.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_markdown(const Report& report, Output& out);

// Harmless in a cell of a table: nothing of it is taken for markup.
std::string in_markdown(std::string_view text);

}  // namespace wirelaw
