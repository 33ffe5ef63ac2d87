// SPDX-License-Identifier: Apache-2.0
// The cases that did not pass, or all cases, as text.
#pragma once

#include <string_view>
#include <vector>

#include "reports/report.h"
#include "reports/text_style.h"

namespace wirelaw {

// Prints nothing if all pass, unless the style asks for every case.
void put_cases(std::string_view title, const std::vector<CaseResult>& cases, const Report& report, const Paint& paint,
               Output& out);

}  // namespace wirelaw
