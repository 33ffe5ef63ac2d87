// SPDX-License-Identifier: Apache-2.0
// The rulings that a warning rests on. A ruling states how an ambiguous sentence is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict.h"

namespace wirelaw {

// "RDMAP/A-63, RDMAP/A-71 (conformance/rdmap/INTERPRETATIONS.md)". If the rule's note names no ruling, the note itself.
// Empty for a violation, and for a warning that was only held back.
std::string ruling_of(const Finding& finding);

// The ids of the rulings that a note names: "RDMAP/A-63", "RAMCLOUD/R42".
std::vector<std::string> rulings_in(std::string_view note);

}  // namespace wirelaw
