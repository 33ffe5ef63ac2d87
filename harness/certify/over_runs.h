// SPDX-License-Identifier: Apache-2.0
// The verdict of a rule or a case over several runs: the common one, or `unstable`, but never the best.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/certify/evidence.h"

namespace wirelaw {

inline constexpr std::string_view kUnstable = "unstable", kWaived = "waived", kAbsent = "absent";

struct OverRuns {
  std::vector<std::string> verdicts;  // one for each run, as in its result
  std::string verdict;                // over all runs
  const Waiver* waiver = nullptr;     // for a failure, or for an unstable result

  std::size_t count(std::string_view which) const;
  bool refuses() const { return count("fail") > 0; }  // the certificate, unless it is waived
  std::string said() const;                           // "unstable: fail in 1, pass in 2 of 3 runs"
};

// All runs taken together.
struct RunsTogether {
  std::map<std::string, OverRuns, std::less<>> rules, cases;
  std::vector<const Waiver*> used, expired, unused;
};
RunsTogether runs_together(const EvidenceSet& evidence, std::chrono::sys_days today);

}  // namespace wirelaw
