// SPDX-License-Identifier: Apache-2.0
// Judges a script as a capture, and compares what is found with what its lines are marked with.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/script/script_file.h"

namespace wirelaw {

// Differences between marks and findings, one line each, with file and line: "x.wirelaw:7: RAMCLOUD-ack-5 is not found
// here". Empty: the script is judged as it is marked. The error, in one line: it cannot be judged.
tl::expected<std::vector<std::string>, std::string> differences_from_marks(const ScriptFile& file,
                                                                           const ScriptPart& part);

}  // namespace wirelaw
