// SPDX-License-Identifier: Apache-2.0
// One finding with its evidence, in lines for people.
#pragma once

#include "reports/report.h"
#include "reports/text_style.h"

namespace wirelaw {

// "frame 7, message 3 of udp A - B, sent by A", or "left unanswered by B": what did not come should have come behind
// it.
std::string where_of(const Finding& finding);
// The case of a live run in which it was found; empty of a capture.
std::string when_of(const Occasion& occasion);

void put_finding(const Finding& finding, const Report& report, const Paint& paint, Output& out);

}  // namespace wirelaw
