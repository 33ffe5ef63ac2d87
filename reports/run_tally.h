// SPDX-License-Identifier: Apache-2.0
// The progress of a run of cases, as one line for a terminal or a log.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace wirelaw {

struct RunTally {
  std::size_t done = 0, all = 0;  // numbers of cases
  std::size_t failed = 0;
  std::chrono::seconds elapsed{0};
};

// "12 of 85 cases in 0:34, about 3:27 left, 2 failed". The time left is shown once a case is done, and assumes that the
// remaining cases take as long.
std::string to_text(const RunTally& tally);

}  // namespace wirelaw
