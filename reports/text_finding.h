// SPDX-License-Identifier: Apache-2.0
// One finding with its evidence, in lines for people.
#pragma once

#include "reports/report.h"
#include "reports/text_style.h"

namespace wirelaw {

void put_finding(const Finding& finding, const Report& report, const Paint& paint, Output& out);

}  // namespace wirelaw
