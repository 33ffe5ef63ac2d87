// SPDX-License-Identifier: Apache-2.0
// A run's capture, read again offline: the verdicts on its frames, what it records about its run, and which features
// the implementation shows in it.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "conformance/verdict.h"
#include "harness/certify/capture_facts.h"

namespace wirelaw {

struct RecordedCapture {
  CaptureFacts facts;
  Results results;                   // from its frames; its run is results.runs.front()
  std::set<std::string> features;    // messages of any protocol in it
  std::optional<std::string> fault;  // one line: why not all of it could be judged
};
RecordedCapture read_capture(const std::string& path);

}  // namespace wirelaw
