// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include "harness/commands/command.h"
#include "harness/commands/duration.h"
#include "harness/commands/fuzz_command.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

std::chrono::seconds whole(double seconds) {
  return std::chrono::seconds{static_cast<std::int64_t>(seconds)};
}

}  // namespace

FuzzProgress::FuzzProgress(bool quiet) : quiet_(quiet), shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

campaign::Watch FuzzProgress::watch() {
  return {.runs = [this](const campaign::Statistics& now) { show(now); },
          .found = [this](const campaign::CampaignFinding& finding) { say(finding); }};
}

void FuzzProgress::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void FuzzProgress::show(const campaign::Statistics& now) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kEvery{250};
  const auto time = Clock::now();
  if (!shown_ || time - last_ < kEvery) return;
  if (last_ != Clock::time_point{})
    rate_ = static_cast<double>(now.runs - last_runs_) / std::chrono::duration<double>(time - last_).count();
  last_ = time;
  last_runs_ = now.runs;
  fmt::print(stderr, "\r\x1b[K{} | {} runs, {:.0f}/s | corpus {} | features {} | findings {} | last new {} runs ago",
             to_text(whole(now.seconds)), now.runs, rate_, now.corpus, now.features, now.findings,
             now.runs - now.last_new);
}

void FuzzProgress::say(const campaign::CampaignFinding& finding) {
  if (quiet_) return;
  clear();
  const std::string line =
      fmt::format("run {}: {}: expected {}, got {}; came back {} of {}", finding.run, finding.breach.signature,
                  finding.breach.expected, finding.breach.actual, finding.replays.came_back, finding.replays.times);
  fmt::print(stderr, "{}\n", printable(line));
}

std::string summary_of(const campaign::Outcome& outcome, const std::string& folder, std::uint64_t runs_before) {
  const campaign::Statistics& all = outcome.statistics;
  std::string text = fmt::format("{}: {} runs{}, corpus {}, features {}\n", folder, all.runs,
                                 runs_before == 0 ? "" : fmt::format(" ({} of them now)", all.runs - runs_before),
                                 all.corpus, all.features);
  if (all.skipped > 0) text += fmt::format("  {} could not be run against this peer\n", all.skipped);
  if (all.unconfirmed > 0) text += fmt::format("  {} did not come back, and are in log.txt\n", all.unconfirmed);
  for (const std::string& one : outcome.signatures)
    text += fmt::format("  {}  findings/{}\n", printable(one), campaign::folder_name(one));
  return text + fmt::format("{}\n", counted(outcome.signatures.size(), "finding"));
}

}  // namespace wirelaw
