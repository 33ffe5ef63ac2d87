// SPDX-License-Identifier: Apache-2.0
// Checks options of `wirelaw serve` that another command will give to it.
#pragma once

#include <optional>
#include <string>

#include "conformance/protocol.h"

namespace wirelaw {

// Returns what is wrong with these words of a command line, in one line. Words that the shell or a scenario still
// replaces are not checked.
std::optional<std::string> wrong_serve_options(const Protocol& protocol, const std::string& options);

}  // namespace wirelaw
