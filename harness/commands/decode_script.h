// SPDX-License-Identifier: Apache-2.0
// `wirelaw decode --format script`: the conversations of captures as a script.
#pragma once

#include <string>
#include <vector>

#include "harness/check/check.h"
#include "reports/output.h"

namespace wirelaw {

// Prints one part for each flow that a script can say, and a comment for each other one. `flow`: the only
// one that is wanted, from 1 in their order; 0 all. Returns the exit status.
int decode_as_script(const std::vector<std::string>& files, const CheckOptions& options, std::uint64_t flow,
                     Output& out);

}  // namespace wirelaw
