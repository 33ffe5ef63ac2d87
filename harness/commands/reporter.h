// SPDX-License-Identifier: Apache-2.0
// Output while cases run, and the last resort against an endless loop, in a case or in a peer in memory, that no
// deadline ends.
#pragma once

#include <chrono>
#include <cstdint>

#include "harness/runner.h"
#include "reports/run_tally.h"

namespace wirelaw {

// Shows progress: on a terminal one line that is rewritten with each case, in a log one line per minute, nothing if
// quiet. With several processes, one shows the progress of all, and the others watch over their cases.
class Reporter {
 public:
  enum class Does : std::uint8_t { tell_and_watch, tell, watch };
  Reporter(bool quiet, const CaseLimits& limits, Does does = Does::tell_and_watch);

  RunProgress progress();
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void begins(const Case& next, std::size_t done, std::size_t all);
  void ended(const CaseOutcome& outcome);

  bool shown_;
  bool quiet_;
  Does does_;
  const CaseLimits& limits_;
  RunTally tally_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point said_ = begin_;
};

}  // namespace wirelaw
