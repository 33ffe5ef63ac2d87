// SPDX-License-Identifier: Apache-2.0
// What a warning rests on where the specification can be read in two ways.
#pragma once

#include <string>

#include "conformance/verdict.h"

namespace wirelaw {

// "A-63, A-71 (conformance/rdmap/INTERPRETATIONS.md)"; the note of a rule that names no ruling there; nothing of a
// violation, or of a warning that was merely held back.
std::string ruling_of(const Finding& finding);

}  // namespace wirelaw
