// SPDX-License-Identifier: Apache-2.0
// Several runs of the same cases as one result: the worst verdict of each rule and case, never the best, and how often.
#pragma once

#include <vector>

#include "conformance/verdict.h"

namespace wirelaw {

// Of at least one run. Rules are those of the same catalogue in each; numbers are sums, frames those of the first run.
// What the runs disagree on says so in its reason: "unstable: fail in 1, pass in 2 of 3 runs". Findings are kept as a
// judge keeps them: a bounded number, and of each rule that failed at least one.
Results repeated(std::vector<Results> runs);

}  // namespace wirelaw
