// SPDX-License-Identifier: Apache-2.0
// Several runs of the same cases as one result: the worst verdict of each rule and case, never the best, and how often.
#pragma once

#include <vector>

#include "conformance/verdict.h"

namespace wirelaw {

// Combines at least one run. All runs have the rules of the same catalogue. Numbers are sums; frame numbers are those
// of the first run. If the runs disagree, the reason states it: "unstable: fail in 1, pass in 2 of 3 runs". Findings
// are kept as a judge keeps them: a bounded number, and at least one for each rule that failed.
Results repeated(std::vector<Results> runs);

}  // namespace wirelaw
