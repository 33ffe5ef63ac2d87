// SPDX-License-Identifier: Apache-2.0
// A campaign with one of the project's own targets: one libFuzzer process for each job, all on one corpus. Its folder
// has
//
//   campaign.json     the name of its target: the same command resumes the campaign
//   corpus/           inputs that reached something new
//   findings/         one folder for each fault: finding.json, input (minimised), found (original), output.txt
//   logs/             the output of each process
//   stats.json        statistics
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/target_list.h"

namespace wirelaw::campaign {

struct TargetConfig {
  FuzzTarget target;
  std::filesystem::path folder;  // exists
  unsigned jobs = 1, replays = 3;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> runs;             // by all jobs together, in this session
  std::optional<std::chrono::nanoseconds> time;  // in this session
  const std::atomic<int>* interrupted = nullptr;
};

// Numbers that the processes have reported. They execute more between their lines.
struct TargetStatistics {
  double seconds = 0, last_new = 0;    // in this session: duration, and time of the latest new feature
  std::uint64_t runs = 0, before = 0;  // in this session, and in earlier ones
  std::uint64_t rate = 0, coverage = 0, features = 0, corpus = 0, findings = 0;
};

struct TargetFinding {
  std::string signature, report;
  unsigned replays = 0, came_back = 0;
  std::size_t octets = 0, found_octets = 0;
};

struct TargetWatch {
  std::function<void(const TargetStatistics&)> status;  // a few times a second
  std::function<void(const TargetFinding&)> found;
};

struct TargetOutcome {
  TargetStatistics statistics;
  std::vector<std::string> signatures;  // all findings in the folder
  std::optional<std::string> lost;      // why nothing can be run any more
};

// The error is one line: the folder is another campaign's, or cannot be written.
tl::expected<TargetOutcome, std::string> fuzz_target(const TargetConfig& config, const TargetWatch& watch);

// A finding of such a campaign, to be repeated. `path` is the folder, or its finding.json.
struct KeptTargetFinding {
  std::string target, signature;
  std::filesystem::path input;
};
// Empty if it is a finding of another kind, or none.
std::optional<KeptTargetFinding> read_target_finding(const std::string& path);
// The number of replays that reproduced it. The error is one line.
tl::expected<unsigned, std::string> replay_target(const FuzzTarget& target, const KeptTargetFinding& finding,
                                                  unsigned times);

}  // namespace wirelaw::campaign
