// SPDX-License-Identifier: Apache-2.0
// wirelaw fuzz --jobs N: N campaigns in parallel. Each is a process with its own folder inside the campaign's folder.
// They exchange inputs, and their results are joined.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

#include "harness/campaign/folder_lock.h"
#include "harness/campaign/merge.h"
#include "harness/commands/command.h"
#include "harness/commands/duration.h"
#include "harness/commands/fuzz_command.h"
#include "harness/commands/interruption.h"
#include "harness/uri.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr unsigned kMostStarts = 20;  // per worker: a worker that is killed that often is abandoned

std::string worker_folder(const std::string& folder, std::uint64_t number) {
  return fmt::format("{}/worker-{}", folder, number);
}

campaign::Statistics statistics_in(const std::string& folder) {
  std::error_code failed;
  if (!fs::exists(folder + "/stats.json", failed)) return {};
  const auto json = campaign::read_json(folder + "/stats.json");
  return json ? campaign::statistics_of(*json) : campaign::Statistics{};
}

// A peer that is started for each worker gets its own port: the ports after that of the URI.
std::optional<std::string> own_uri(const std::string& uri, std::uint64_t number) {
  auto parsed = parse_uri(uri);
  if (!parsed) return std::nullopt;
  const std::size_t colon = parsed->place.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::uint64_t port = 0;
  for (const char c : std::string_view(parsed->place).substr(colon + 1)) {
    if (c < '0' || c > '9' || port > 0xffff) return std::nullopt;
    port = port * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (port == 0 || port + number - 1 > 0xffff) return std::nullopt;
  std::string own = uri;
  const std::string place = fmt::format("{}:{}", parsed->place.substr(0, colon), port + number - 1);
  return own.replace(own.find(parsed->place), parsed->place.size(), place);
}

struct Worker {
  FuzzCommand command;
  std::optional<std::uint64_t> last_run;  // the run at which its campaign is to end
  pid_t process = -1;
  unsigned starts = 0;
  int status = 0;
};

class Workers {
 public:
  Workers(const FuzzCommand& command, RunCampaign run) : command_(command), run_(run), before_(sum()) {}

  // The error in the options, in one line.
  std::optional<std::string> prepare() {
    const bool in_memory = command_.peer.uri.starts_with("memory:");
    if (!in_memory && command_.peer.start.empty())
      return "--jobs: each worker needs its own peer; give --start, or a peer in memory";
    for (std::uint64_t number = 1; number <= command_.jobs; ++number) {
      Worker worker{.command = command_};
      FuzzCommand& own = worker.command;
      own.jobs = 1;
      own.is_worker = true;
      own.folder = worker_folder(command_.folder, number);
      own.seed = command_.seed + number - 1;
      if (own.runs) own.runs = *command_.runs / command_.jobs + (number <= *command_.runs % command_.jobs ? 1 : 0);
      if (!in_memory) {
        const auto uri = own_uri(command_.peer.uri, number);
        if (!uri)
          return fmt::format("--jobs: {} must name a port; the other workers use the ports after it",
                             command_.peer.uri);
        own.peer.uri = *uri;
      }
      for (std::uint64_t other = 1; other <= command_.jobs; ++other)
        if (other != number) own.siblings.push_back(worker_folder(command_.folder, other));
      if (own.runs) worker.last_run = statistics_in(own.folder).runs + *own.runs;
      workers_.push_back(std::move(worker));
    }
    return std::nullopt;
  }

  // Waits until all workers have ended.
  int run() {
    FuzzProgress progress(command_.quiet,
                          fmt::format("{} at {}, {} workers", command_.peer.protocol, command_.peer.uri, command_.jobs),
                          command_.folder);
    const campaign::Watch watch = progress.watch();
    for (Worker& one : workers_) start(one);
    bool is_told = false;
    while (collect(progress)) {
      if (interruption().load() != 0 && !is_told) {
        for (const Worker& one : workers_)
          if (one.process > 0) ::kill(one.process, interruption().load());
        is_told = true;
      }
      tell_findings(progress);
      const campaign::Statistics now = sum();
      const std::string activity = activities();
      watch.progress({.statistics = now, .signatures = found_, .activity = activity});
      std::this_thread::sleep_for(std::chrono::milliseconds{250});
    }
    progress.clear();
    tell_findings(progress);
    return join();
  }

 private:
  void start(Worker& worker) {
    ++worker.starts;
    if (worker.last_run) {
      const std::uint64_t runs = statistics_in(worker.command.folder).runs;
      worker.command.runs = *worker.last_run - std::min(runs, *worker.last_run);
    }
    std::fflush(nullptr);
    worker.process = ::fork();
    if (worker.process == 0) {
      const int status = run_(worker.command);
      std::fflush(nullptr);
      ::_exit(status);
    }
    if (worker.process < 0) worker.status = complain("--jobs: cannot start another process");
  }

  static ToldFinding told_by(const campaign::Json& finding) {
    const auto replays = finding.find("replays");
    const bool is_replayed = replays != finding.end() && replays->is_object();
    return {.run = campaign::count_in(finding, "run"),
            .signature = campaign::text_in(finding, "signature"),
            .expected = campaign::text_in(finding, "expected"),
            .actual = campaign::text_in(finding, "actual"),
            .came_back = is_replayed ? campaign::count_in(*replays, "came_back") : 0,
            .replays = is_replayed ? campaign::count_in(*replays, "of") : 0};
  }

  void tell_findings(FuzzProgress& progress) {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      std::error_code failed;
      const std::string& folder = workers_[i].command.folder;
      for (fs::directory_iterator one(folder + "/findings", failed), end; !failed && one != end;
           one.increment(failed)) {
        const auto json = campaign::read_json((one->path() / "finding.json").string());
        if (!json || !told_.insert(one->path().filename().string()).second) continue;
        found_.push_back(campaign::text_in(*json, "signature"));
        if (command_.quiet) continue;
        progress.clear();
        fmt::print(stderr, "worker {}, {}\n", i + 1, finding_line(told_by(*json)));
      }
    }
  }

  // True if any worker is still running.
  bool collect(FuzzProgress& progress) {
    bool any = false;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& one = workers_[i];
      if (one.process <= 0) continue;
      int status = 0;
      if (::waitpid(one.process, &status, WNOHANG) == 0) {
        any = true;
        continue;
      }
      one.process = -1;
      one.status = WIFEXITED(status) ? WEXITSTATUS(status) : kEndedBySignal + WTERMSIG(status);
      if (WIFEXITED(status) || interruption().load() != 0) continue;
      progress.clear();
      const bool goes_on = one.starts < kMostStarts;
      complain(fmt::format("worker {} was killed by signal {}; {}", i + 1, WTERMSIG(status),
                           goes_on ? "another worker continues its share" : "its share is abandoned"));
      if (!goes_on) continue;
      start(one);
      any |= one.process > 0;
    }
    return any;
  }

  campaign::Statistics sum() const {
    campaign::Statistics sum;
    for (std::uint64_t number = 1; number <= command_.jobs; ++number) {
      const campaign::Statistics one = statistics_in(worker_folder(command_.folder, number));
      campaign::add(sum, one);
    }
    return sum;
  }

  // Tasks of the workers besides trying inputs: the task of the first one, and how many others have such tasks.
  std::string activities() const {
    std::string first;
    std::size_t others = 0;
    for (const Worker& one : workers_) {
      const auto json = campaign::read_json(one.command.folder + "/stats.json");
      const std::string now = json ? campaign::text_in(*json, "now") : "";
      if (now.empty() || one.process <= 0) continue;
      if (first.empty())
        first = now;
      else
        ++others;
    }
    return others == 0 ? first : fmt::format("{}, and {} more", first, others);
  }

  // Joins the workers' results into the campaign's folder.
  int join() {
    std::vector<std::string> folders;
    std::error_code failed;
    for (const Worker& one : workers_)
      if (fs::exists(one.command.folder + "/state.json", failed)) folders.push_back(one.command.folder);
    int worst = 0;
    for (const Worker& one : workers_)
      if (one.status != 1) worst = std::max(worst, one.status);
    if (folders.empty()) return worst;
    const auto merged = campaign::merge(folders, command_.folder, campaign::MergeInto::anew);
    if (!merged) return complain("--jobs: " + merged.error());
    fmt::print("{}", summary_of({.statistics = merged->statistics,
                                 .signatures = merged->signatures,
                                 .to_minimise = merged->to_minimise,
                                 .to_confirm = merged->to_confirm},
                                command_.folder, before_.runs));
    std::fflush(stdout);
    if (const int signal = interruption().load(); signal != 0) return kEndedBySignal + signal;
    return !merged->signatures.empty() ? 1 : worst;
  }

  const FuzzCommand& command_;
  RunCampaign run_;
  campaign::Statistics before_;
  std::vector<Worker> workers_;
  std::set<std::string> told_;      // folders of findings
  std::vector<std::string> found_;  // their signatures, each once although several workers may have it
};

}  // namespace

int fuzz_by_workers(const FuzzCommand& command, RunCampaign run) {
  const auto lock = campaign::FolderLock::take(command.folder);
  if (!lock) return complain("--campaign " + lock.error());
  Workers workers(command, run);
  if (const auto wrong = workers.prepare()) return complain(*wrong);
  interruption();
  return workers.run();
}

}  // namespace wirelaw
