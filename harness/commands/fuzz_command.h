// SPDX-License-Identifier: Apache-2.0
// What the user has said to `wirelaw fuzz`, and what it says while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/campaign.h"
#include "harness/commands/test_command.h"

namespace wirelaw {

struct FuzzCommand {
  TestCommand peer;  // protocol, uri, start, listen, trigger, application, …
  std::string folder, guidance = "protocol", time, replay;
  std::string exported, output = ".";  // a finding, and the folder that it goes to
  std::vector<std::string> merged;
  std::optional<std::uint64_t> runs;
  std::uint64_t seed = 1;
  unsigned structure = 80, replays = 3;
  double hurry = 0.2;
  std::uint64_t limit_memory = 0, limit_descriptors = 0;  // mebioctets; number
  std::string target, programs;  // one of the project's own, and the folder that it is built in
  bool targets = false;          // list them
  unsigned jobs = 1;
  bool quiet = false;
};

// On a terminal a line that is kept up to date; a line for each finding in any case.
class FuzzProgress {
 public:
  explicit FuzzProgress(bool quiet);
  campaign::Watch watch();
  void clear();

 private:
  void show(const campaign::Statistics& now);
  void say(const campaign::CampaignFinding& finding);

  bool quiet_, shown_;
  std::chrono::steady_clock::time_point last_{};
  std::uint64_t last_runs_ = 0;
  double rate_ = 0;
};

// The end of a campaign, for people.
std::string summary_of(const campaign::Outcome& outcome, const std::string& folder, std::uint64_t runs_before);

// --- the project's own targets: each gives the status of the command
int list_targets(const FuzzCommand& command);
int fuzz_target(const FuzzCommand& command);
// Nothing where the finding is none of a target.
std::optional<int> replay_target(const FuzzCommand& command);

std::string fuzz_help();

}  // namespace wirelaw
