// SPDX-License-Identifier: Apache-2.0
// Checks that a run's capture, judged again offline, gives the verdicts of the run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/certify/evidence.h"
#include "harness/certify/recorded_capture.h"

namespace wirelaw {

struct Rejudged {
  std::size_t same = 0;                           // verdicts that were the same again
  std::vector<std::string> faults;                // one line each
  std::map<std::string, std::string> not_judged;  // by rule: the reason why it cannot be judged again offline
};

// Adds to what there is. `peer` is the URI that the statement has.
void rejudge(const CertifiedRun& run, const RecordedCapture& capture, const std::string& peer, Rejudged& all);

}  // namespace wirelaw
