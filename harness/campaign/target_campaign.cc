// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/target_campaign.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <thread>

#include "harness/campaign/finding.h"
#include "harness/campaign/input_json.h"
#include "harness/campaign/target_output.h"
#include "harness/campaign/target_process.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kCampaign = "wirelaw-target-campaign/1", kFinding = "wirelaw-target-finding/1";
constexpr double kInputSeconds = 60, kSmallerSeconds = 60;  // for one input; to make one smaller
// A process that known findings end this many times in a row finds nothing else.
constexpr unsigned kMostInARow = 5;

std::vector<std::string> options_of(const FuzzTarget& target) {
  std::vector<std::string> words;
  for (const std::string& one : target.options) words.push_back("-" + one);
  return words;
}

// Returns the target's report about one input.
tl::expected<std::optional<TargetFault>, std::string> try_input(const FuzzTarget& target, const fs::path& input,
                                                                const fs::path& log) {
  std::vector<std::string> words = options_of(target);
  words.push_back(input.string());
  auto run = run_target(target.program, std::move(words), log, kInputSeconds);
  if (!run) return tl::unexpected(run.error());
  if (!run->status) return TargetFault{"timeout", ""};
  return *run->status == 0 ? std::nullopt : fault_of(run->output);
}

std::uint64_t octets_of(const fs::path& path) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  return failed ? 0 : size;
}

class Session {
 public:
  Session(const TargetConfig& config, const TargetWatch& watch) : config_(config), watch_(watch) {}

  tl::expected<TargetOutcome, std::string> run() {
    if (auto made = prepare(); !made) return tl::unexpected(made.error());
    for (unsigned i = 0; i < config_.jobs; ++i) workers_.push_back({.number = i + 1});
    for (Worker& worker : workers_)
      if (auto started = start(worker); !started) return tl::unexpected(started.error());
    constexpr std::chrono::milliseconds kBetween{100};
    while (look_after_all()) {
      if (watch_.status) watch_.status(statistics());
      if (is_over() && !interrupted_) interrupt();
      if (interrupted_ && Clock::now() > *interrupted_ + std::chrono::seconds(10))
        break;  // the processes are ended now
      std::this_thread::sleep_for(kBetween);
    }
    if (auto saved = save_statistics(); !saved) return tl::unexpected(saved.error());
    return TargetOutcome{statistics(), signatures(), lost_};
  }

 private:
  struct Worker {
    unsigned number = 0, starts = 0, in_a_row = 0;
    std::optional<TargetProcess> process = {};
    TargetStatus status = {};
    std::uint64_t runs_before = 0;  // total of the processes that have ended
    bool is_new_there = false;
  };

  fs::path path(std::string_view name) const { return config_.folder / name; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool is_over() const {
    return (config_.interrupted != nullptr && config_.interrupted->load() != 0) ||
           (config_.time && Clock::now() - begin_ > *config_.time);
  }

  tl::expected<void, std::string> prepare() {
    std::error_code failed;
    for (const auto* name : {"corpus", "findings", "logs"})
      if (fs::create_directories(path(name), failed); failed)
        return tl::unexpected(fmt::format("{}: {}", path(name).string(), failed.message()));
    if (!fs::exists(path("campaign.json"), failed))
      return write_json(path("campaign.json").string(), {{"schema", kCampaign}, {"target", config_.target.name}});
    const auto json = read_json(path("campaign.json").string());
    if (!json) return tl::unexpected(json.error());
    if (text_in(*json, "schema") != kCampaign || text_in(*json, "target") != config_.target.name)
      return tl::unexpected(
          fmt::format("{} has another campaign; name a folder of its own with --campaign", config_.folder.string()));
    if (const auto stats = read_json(path("stats.json").string())) before_ = count_in(*stats, "runs");
    return {};
  }

  tl::expected<void, std::string> start(Worker& worker) {
    const FuzzTarget& target = config_.target;
    std::vector<std::string> words = options_of(target);
    const std::uint64_t seed = config_.seed + worker.number - 1 + std::uint64_t{1000} * worker.starts;
    words.push_back(fmt::format("-seed={}", static_cast<std::uint32_t>(seed == 0 ? 1 : seed)));
    words.push_back(fmt::format("-artifact_prefix={}/", path("logs").string()));
    if (!target.dictionary.empty()) words.push_back("-dict=" + target.dictionary.string());
    if (config_.runs) {
      const std::uint64_t share = (*config_.runs + config_.jobs - 1) / config_.jobs;
      words.push_back(fmt::format("-runs={}", share - std::min(share, worker.runs_before)));
    }
    words.push_back(path("corpus").string());
    std::error_code failed;
    for (const fs::path& folder : {target.seeds, target.regressions})
      if (!folder.empty() && fs::is_directory(folder, failed)) words.push_back(folder.string());
    auto process =
        TargetProcess::start(target.program, std::move(words), path("logs") / fmt::format("{}.txt", worker.number));
    if (!process) return tl::unexpected(process.error());
    worker.process = std::move(*process);
    worker.status = {};
    ++worker.starts;
    return {};
  }

  // True if any of them still runs.
  bool look_after_all() {
    bool any = false;
    for (Worker& worker : workers_) {
      if (!worker.process) continue;
      const auto status = worker.process->ended();  // first, so that all output until then is read
      for (const std::string& line : worker.process->lines()) read(worker, line);
      if (status) conclude(worker, *status);
      any |= worker.process.has_value();
    }
    return any;
  }

  void read(Worker& worker, const std::string& line) {
    if (const auto status = status_of(line)) {
      worker.status = *status;
      coverage_ = std::max(coverage_, status->coverage);
      features_ = std::max(features_, status->features);
      corpus_ = std::max(corpus_, status->corpus);
      if (status->is_new) last_new_ = seconds();
    } else if (const auto runs = runs_done(line)) {
      worker.status.runs = *runs;
    }
  }

  void conclude(Worker& worker, int status) {
    const std::string output = worker.process->output();
    const std::string artifact = artifact_of(output);
    worker.process.reset();
    worker.runs_before += worker.status.runs;
    worker.status = {};
    const auto fault = fault_of(output);
    if (status == 0 || interrupted_) return;
    if (!fault || artifact.empty()) {
      lost_ = fmt::format("{} has ended with status {}; see {}", config_.target.name, status,
                          (path("logs") / fmt::format("{}.txt", worker.number)).string());
      return;
    }
    worker.in_a_row = keep(*fault, artifact) ? 0 : worker.in_a_row + 1;
    if (worker.in_a_row == kMostInARow) {
      lost_ = fmt::format("{} finds nothing but {}", config_.target.name, fault->signature);
      return;
    }
    if (is_over()) return;
    if (auto started = start(worker); !started) lost_ = started.error();
  }

  // True if it was not known before.
  bool keep(const TargetFault& fault, const fs::path& artifact) {
    const fs::path folder = path("findings") / folder_name(fault.signature);
    std::error_code failed;
    if (fs::exists(folder / "finding.json", failed)) {
      fs::remove(artifact, failed);
      return false;
    }
    fs::create_directories(folder, failed);
    fs::copy_file(artifact, folder / "found", fs::copy_options::overwrite_existing, failed);
    fs::remove(artifact, failed);
    make_smaller(fault, folder);
    TargetFinding finding{.signature = fault.signature,
                          .report = fault.report,
                          .octets = octets_of(folder / "input"),
                          .found_octets = octets_of(folder / "found")};
    for (; finding.replays < config_.replays; ++finding.replays)
      finding.came_back += does_same(fault, folder / "input") ? 1 : 0;
    if (auto saved = save(finding, folder); !saved) lost_ = saved.error();
    if (watch_.found) watch_.found(finding);
    return true;
  }

  bool does_same(const TargetFault& fault, const fs::path& input) {
    const auto again = try_input(config_.target, input, path("logs/replay.txt"));
    return again && *again && (*again)->signature == fault.signature;
  }

  // libFuzzer keeps every input that ends the program: a smaller one with another fault is not this finding.
  void make_smaller(const TargetFault& fault, const fs::path& folder) {
    std::error_code failed;
    fs::remove(folder / "input", failed);
    if (fault.signature != "timeout" && fault.signature != "memory") {
      std::vector<std::string> words = options_of(config_.target);
      words.insert(words.end(),
                   {"-minimize_crash=1", "-runs=5000",
                    fmt::format("-exact_artifact_path={}", (folder / "input").string()), (folder / "found").string()});
      static_cast<void>(
          run_target(config_.target.program, std::move(words), path("logs/minimise.txt"), kSmallerSeconds));
    }
    if (!fs::exists(folder / "input", failed) || !does_same(fault, folder / "input"))
      fs::copy_file(folder / "found", folder / "input", fs::copy_options::overwrite_existing, failed);
  }

  tl::expected<void, std::string> save(const TargetFinding& finding, const fs::path& folder) const {
    if (auto written = write_text((folder / "output.txt").string(), finding.report); !written) return written;
    return write_json((folder / "finding.json").string(),
                      {{"schema", kFinding},
                       {"target", config_.target.name},
                       {"signature", finding.signature},
                       {"octets", finding.octets},
                       {"found_octets", finding.found_octets},
                       {"replays", {{"of", finding.replays}, {"came_back", finding.came_back}}}});
  }

  void interrupt() {
    interrupted_ = Clock::now();
    for (const Worker& worker : workers_)
      if (worker.process) worker.process->interrupt();
  }

  std::vector<std::string> signatures() const {
    std::vector<std::string> found;
    std::error_code failed;
    for (fs::directory_iterator one(path("findings"), failed), end; !failed && one != end; one.increment(failed))
      if (const auto finding = read_target_finding(one->path().string())) found.push_back(finding->signature);
    std::ranges::sort(found);
    return found;
  }

  TargetStatistics statistics() const {
    TargetStatistics all{.seconds = seconds(), .last_new = last_new_, .before = before_};
    for (const Worker& worker : workers_) {
      all.runs += worker.runs_before + worker.status.runs;
      all.rate += worker.status.rate;
    }
    all.coverage = coverage_;
    all.features = features_;
    all.corpus = corpus_;
    all.findings = signatures().size();
    return all;
  }

  tl::expected<void, std::string> save_statistics() const {
    const TargetStatistics now = statistics();
    return write_json(path("stats.json").string(), {{"target", config_.target.name},
                                                    {"runs", now.before + now.runs},
                                                    {"seconds", now.seconds},
                                                    {"coverage", now.coverage},
                                                    {"features", now.features},
                                                    {"corpus", now.corpus},
                                                    {"findings", now.findings}});
  }

  const TargetConfig& config_;
  const TargetWatch& watch_;
  Clock::time_point begin_ = Clock::now();
  std::optional<Clock::time_point> interrupted_;
  std::vector<Worker> workers_;
  std::uint64_t before_ = 0, coverage_ = 0, features_ = 0, corpus_ = 0;
  double last_new_ = 0;
  std::optional<std::string> lost_;
};

}  // namespace

tl::expected<TargetOutcome, std::string> fuzz_target(const TargetConfig& config, const TargetWatch& watch) {
  return Session(config, watch).run();
}

std::optional<KeptTargetFinding> read_target_finding(const std::string& path) {
  std::error_code failed;
  const fs::path folder = fs::is_directory(path, failed) ? fs::path(path) : fs::path(path).parent_path();
  const auto json = read_json((folder / "finding.json").string());
  if (!json || text_in(*json, "schema") != kFinding) return std::nullopt;
  return KeptTargetFinding{text_in(*json, "target"), text_in(*json, "signature"), folder / "input"};
}

tl::expected<unsigned, std::string> replay_target(const FuzzTarget& target, const KeptTargetFinding& finding,
                                                  unsigned times) {
  std::string log = (fs::temp_directory_path() / "wirelaw-replay-XXXXXX").string();
  if (::mkdtemp(log.data()) == nullptr) return tl::unexpected(log + ": cannot be made");
  unsigned came_back = 0;
  std::optional<std::string> failed;
  for (unsigned i = 0; i < times && !failed; ++i) {
    const auto fault = try_input(target, finding.input, fs::path(log) / "output.txt");
    if (!fault)
      failed = fault.error();
    else if (*fault && (*fault)->signature == finding.signature)
      ++came_back;
  }
  std::error_code ignored;
  fs::remove_all(log, ignored);
  if (failed) return tl::unexpected(*failed);
  return came_back;
}

}  // namespace wirelaw::campaign
