// SPDX-License-Identifier: Apache-2.0
// wirelaw fuzz --target: a campaign with one of the project's own fuzz targets.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "harness/campaign/finding.h"
#include "harness/campaign/folder_lock.h"
#include "harness/campaign/target_campaign.h"
#include "harness/commands/command.h"
#include "harness/commands/duration.h"
#include "harness/commands/fuzz_command.h"
#include "harness/commands/interruption.h"
#include "harness/commands/suggest.h"
#include "harness/commands/terminal.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;

tl::expected<campaign::TargetFolder, std::string> folder_of(const FuzzCommand& command) {
  if (!command.programs.empty()) {
    auto read = campaign::read_target_folder(command.programs);
    return read ? std::move(read) : tl::unexpected("--programs " + read.error());
  }
  std::error_code failed;
  return campaign::find_target_folder(
      campaign::target_places(fs::read_symlink("/proc/self/exe", failed).parent_path()));
}

std::vector<std::string> names_of(const campaign::TargetFolder& folder) {
  std::vector<std::string> names;
  for (const campaign::FuzzTarget& one : folder.targets) names.push_back(one.name);
  return names;
}

// The target of this name in a folder whose programs can fuzz, or can at least replay.
tl::expected<campaign::FuzzTarget, std::string> target_of(const FuzzCommand& command, const std::string& name,
                                                          bool fuzzes) {
  const auto folder = folder_of(command);
  if (!folder) return tl::unexpected(folder.error());
  const campaign::FuzzTarget* const target = folder->find(name);
  if (target == nullptr)
    return tl::unexpected(fmt::format("{}: there is no such target{}; see `wirelaw fuzz --targets`", printable(name),
                                      suggestion(name, names_of(*folder))));
  if (fuzzes && !folder->can_fuzz())
    return tl::unexpected(
        fmt::format("{} has targets that only replay ({}); build the preset fuzz (cmake --preset fuzz && cmake --build "
                    "--preset fuzz), or name its folder with --programs",
                    folder->path.lexically_normal().string(), folder->engine));
  std::error_code failed;
  if (!fs::exists(target->program, failed))
    return tl::unexpected(fmt::format("{} is not built; cmake --build --preset fuzz --target {}",
                                      target->program.lexically_normal().string(), name));
  return *target;
}

int say(const std::string& text) {
  auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  out.put(text);
  return finish(out);
}

std::string time_of(double seconds) {
  return to_text(std::chrono::seconds{static_cast<std::int64_t>(seconds)});
}

// Shows one updated line on a terminal, and in any case a line for each finding.
class TargetProgress {
 public:
  explicit TargetProgress(bool quiet) : quiet_(quiet), shown_(!quiet && can_erase(STDERR_FILENO)) {}

  campaign::TargetWatch watch() {
    return {.status = [this](const campaign::TargetStatistics& now) { show(now); },
            .found = [this](const campaign::TargetFinding& finding) { say(finding); }};
  }
  void clear() const {
    if (shown_) erase_line();
  }

 private:
  void show(const campaign::TargetStatistics& now) const {
    if (!shown_) return;
    overwrite_line(fmt::format("{} | {} runs, {}/s | cov {}, features {} | corpus {} | findings {} | last new {} ago",
                               time_of(now.seconds), now.runs, now.rate, now.coverage, now.features, now.corpus,
                               now.findings, time_of(now.seconds - now.last_new)));
  }
  void say(const campaign::TargetFinding& finding) const {
    if (quiet_) return;
    clear();
    fmt::print(stderr, "{}: {} octets, of {}; recurred {} of {} times\n", printable(finding.signature), finding.octets,
               finding.found_octets, finding.came_back, finding.replays);
  }

  bool quiet_, shown_;
};

std::string summary_of(const campaign::TargetOutcome& outcome, const std::string& folder) {
  const campaign::TargetStatistics& all = outcome.statistics;
  std::string text = fmt::format("{}: {} runs{}, cov {}, features {}, corpus {}\n", folder, all.before + all.runs,
                                 all.before == 0 ? "" : fmt::format(" ({} of them now)", all.runs), all.coverage,
                                 all.features, all.corpus);
  for (const std::string& one : outcome.signatures)
    text += fmt::format("  {}  {}/findings/{}\n", printable(one), folder, campaign::folder_name(one));
  return text + fmt::format("{}\n", counted(outcome.signatures.size(), "finding"));
}

}  // namespace

int list_targets(const FuzzCommand& command) {
  const auto folder = folder_of(command);
  if (!folder) return complain(folder.error());
  std::string text;
  std::size_t width = 0;
  for (const campaign::FuzzTarget& one : folder->targets) width = std::max(width, one.name.size());
  for (const campaign::FuzzTarget& one : folder->targets) text += fmt::format("{:{}}  {}\n", one.name, width, one.what);
  return say(text + fmt::format("in {}{}\n", folder->path.lexically_normal().string(),
                                folder->can_fuzz() ? "" : ", which only replays: build the preset fuzz"));
}

int fuzz_target(const FuzzCommand& command) {
  if (!command.peer.protocol.empty()) return complain("--target: takes neither a protocol nor a URI");
  const auto target = target_of(command, command.target, true);
  if (!target) return complain("--target " + target.error());
  const std::string folder = command.folder.empty() ? "wirelaw-fuzz-" + command.target : command.folder;
  const auto lock = campaign::FolderLock::take(folder);
  if (!lock) return complain("--campaign " + lock.error());
  TargetProgress progress(command.quiet);
  const campaign::TargetConfig config{.target = *target,
                                      .folder = fs::absolute(folder),
                                      .jobs = command.jobs,
                                      .replays = command.replays,
                                      .seed = command.seed,
                                      .runs = command.runs,
                                      .time = duration_of(command.time),
                                      .interrupted = &interruption()};
  const auto outcome = campaign::fuzz_target(config, progress.watch());
  progress.clear();
  if (!outcome) return complain("--campaign " + outcome.error());
  if (const int status = say(summary_of(*outcome, folder)); status != 0) return status;
  if (const int signal = interruption().load(); signal != 0) return kEndedBySignal + signal;
  if (!outcome->signatures.empty()) return 1;
  if (!outcome->lost) return 0;
  complain(*outcome->lost);
  return static_cast<int>(ExitStatus::peer_lost);
}

std::optional<int> replay_target(const FuzzCommand& command) {
  const auto finding = campaign::read_target_finding(command.replay);
  if (!finding) return std::nullopt;
  const auto target = target_of(command, finding->target, false);
  if (!target) return complain(fmt::format("--replay {}: {}", command.replay, target.error()));
  const auto came_back = campaign::replay_target(*target, *finding, command.replays);
  if (!came_back) return complain(fmt::format("--replay {}: {}", command.replay, came_back.error()));
  const int printed =
      say(fmt::format("{}: recurred {} of {} times\n", printable(finding->signature), *came_back, command.replays));
  if (printed != 0) return printed;
  return *came_back > 0 ? 1 : 0;
}

}  // namespace wirelaw
