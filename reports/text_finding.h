// SPDX-License-Identifier: Apache-2.0
// One finding with its evidence, as lines of text.
#pragma once

#include <string>
#include <string_view>

#include "reports/report.h"

namespace wirelaw {

// "frame 7, message 3 of udp A - B, sent by A", or "left without the right answer by B": the missing message should
// have come after it.
std::string where_of(const Finding& finding);
// The case of the live run in which it was found. Empty for a capture.
std::string when_of(const Occasion& occasion);

// "      where     frame 7, …", wrapped at the report's width. Prints nothing if `text` is empty.
void put_labelled(std::string_view label, std::string_view text, const Report& report, Output& out);
// Prints the evidence of a finding, one label per line.
void put_finding(const Finding& finding, const Report& report, Output& out);

}  // namespace wirelaw
