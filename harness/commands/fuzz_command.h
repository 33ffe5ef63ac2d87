// SPDX-License-Identifier: Apache-2.0
// The options of `wirelaw fuzz`, and its output while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
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
  std::vector<std::string> seeds, captures;  // folders, files
  std::optional<std::uint64_t> runs;
  std::uint64_t seed = 1;
  unsigned repair = 80, replays = 3;
  double trial_answer_time = 0.2;
  std::uint64_t limit_memory = 0, limit_descriptors = 0;  // mebioctets; number
  std::uint64_t start_every = 1;                          // inputs
  unsigned jobs = 1;
  // --- a worker's side
  bool is_worker = false;
  std::vector<std::string> siblings;  // folders of the others
  // --- instead of a peer
  std::string target, programs;  // one of the project's own, and the folder that it is built in
  bool targets = false;          // list them
  bool quiet = false;
};

// Runs one campaign in one process. Returns the status of the command.
using RunCampaign = int (*)(const FuzzCommand& command);
int fuzz_by_workers(const FuzzCommand& command, RunCampaign run);

// Progress. On a terminal: a screen that is updated, or one line if the terminal is small. In a log (no terminal, or
// TERM=dumb): one line per minute. In all cases, one line for each finding.
class FuzzProgress {
 public:
  FuzzProgress(bool quiet, std::string title, std::string folder);
  campaign::Watch watch();
  void clear();

 private:
  void show(const campaign::Progress& now);
  void say(const campaign::CampaignFinding& finding);

  bool quiet_, is_terminal_, has_utf8_;
  std::string title_, folder_;
  std::chrono::steady_clock::time_point last_{};
  std::uint64_t last_runs_ = 0;
  double rate_ = 0;
  std::vector<std::size_t> shown_;  // the width of each line that is shown
};

// A finding as it is told while the campaign runs: "run 25: rule X: expected an ACK, got none; recurred 3 of 3 times".
struct ToldFinding {
  std::uint64_t run = 0;
  std::string signature, expected, actual;
  std::uint64_t came_back = 0, replays = 0;
};
std::string finding_line(const ToldFinding& finding);

// The screen: each line less than kScreenColumns wide, so that none wraps.
inline constexpr std::size_t kScreenColumns = 80, kScreenLines = 15;
struct ScreenFacts {
  std::string_view title, folder;
  double rate = 0;  // inputs a second, of late
  bool has_utf8 = true;
};
std::vector<std::string> screen_of(const campaign::Progress& now, const ScreenFacts& facts);
// The same in one line, the most important values first, because the line is cut if it does not fit.
std::string progress_line(const campaign::Progress& now, double rate);

// Returns the text for the end of a campaign.
std::string summary_of(const campaign::Outcome& outcome, const std::string& folder, std::uint64_t runs_before);

// --- the project's own targets: each gives the status of the command
int list_targets(const FuzzCommand& command);
int fuzz_target(const FuzzCommand& command);
// Empty if the finding does not belong to a target.
std::optional<int> replay_target(const FuzzCommand& command);

std::string fuzz_help();

}  // namespace wirelaw
