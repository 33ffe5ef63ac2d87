// SPDX-License-Identifier: Apache-2.0
// Combines several runs of the same cases: for each rule and case the worst verdict, never the best, and its frequency.
#pragma once

#include <vector>

#include "conformance/verdict.h"

namespace wirelaw {

// Combines at least one run. All runs have the rules of the same catalogue. Numbers are sums; frame numbers are those
// of the first run. If the runs disagree, the reason states it: "unstable: fail in 1, pass in 2 of 3 runs". Findings
// are kept as a judge keeps them: a bounded number, and at least one for each rule that failed.
Results repeated(std::vector<Results> runs);

}  // namespace wirelaw
