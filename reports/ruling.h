// SPDX-License-Identifier: Apache-2.0
// What a warning rests on where the specification can be read in two ways.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict.h"

namespace wirelaw {

// "A-63, A-71 (conformance/rdmap/INTERPRETATIONS.md)"; the note of a rule that names no ruling there; nothing of a
// violation, or of a warning that was merely held back.
std::string ruling_of(const Finding& finding);

// The numbers of the rulings that a note names: "A-63", "R42", "A18b".
std::vector<std::string> rulings_in(std::string_view note);

}  // namespace wirelaw
