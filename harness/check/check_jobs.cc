// SPDX-License-Identifier: Apache-2.0
#include "harness/check/check_jobs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <numeric>
#include <optional>

#include "harness/parallel/write_all.h"
#include "harness/shard/share_octets.h"

namespace wirelaw {
namespace {

// --- the result of a process

std::string read_all(int descriptor) {
  std::string octets;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got > 0)
      octets.append(buffer, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      return octets;
  }
}

// --- processes

// A process that judges a part. It ends with this object.
class Worker {
 public:
  template <class Judge>
  explicit Worker(const Judge& judge) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) {
      ::close(ends[0]);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const bool done = ::getppid() == parent && deliver(judge(), ends[1]);
      ::_exit(done ? 0 : 1);
    }
    ::close(ends[1]);
    results_ = ends[0];
  }
  Worker(Worker&& from) noexcept
      : process_(std::exchange(from.process_, -1)), results_(std::exchange(from.results_, -1)) {}
  Worker& operator=(Worker&&) = delete;
  ~Worker() {
    if (results_ >= 0) ::close(results_);
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }

  // Empty if the process has not completed.
  std::optional<Share> share() {
    if (process_ <= 0) return std::nullopt;
    const std::string octets = read_all(results_);
    const int status = wait();
    process_ = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
    return share_of_octets(octets);
  }

 private:
  static bool deliver(const Share& share, int descriptor) { return write_all(descriptor, octets_of(share)); }
  int wait() const {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  pid_t process_ = -1;
  int results_ = -1;
};

// Returns the sizes of the files. Empty if a file cannot be read more than once.
std::optional<std::vector<std::uint64_t>> octets_of(std::span<const std::string> files) {
  std::vector<std::uint64_t> octets;
  for (const std::string& file : files) {
    std::error_code error;
    if (file == "-" || !std::filesystem::is_regular_file(file, error)) return std::nullopt;
    octets.push_back(std::filesystem::file_size(file, error));
    if (error) return std::nullopt;
  }
  return octets;
}

std::optional<FileResults> judged_by(std::span<const std::vector<FilePart>> plan, std::span<const std::string> files,
                                     const CheckOptions& options, const FileWatcher& watcher) {
  std::vector<Worker> workers;
  for (const std::vector<FilePart>& parts : plan.subspan(1))
    workers.emplace_back([&] { return judge_parts(files, parts, options); });
  std::vector<Share> shares;
  shares.push_back(judge_parts(files, plan.front(), options, watcher));
  for (Worker& one : workers) {
    auto share = one.share();
    if (!share) return std::nullopt;
    shares.push_back(std::move(*share));
  }
  auto results = results_of_shares(std::move(shares), options);
  if (!results || !results->fits_one) return std::nullopt;
  return std::move(*results);
}

}  // namespace

std::vector<std::vector<FilePart>> plan_of(std::uint64_t jobs, std::span<const std::uint64_t> octets) {
  std::vector<std::uint64_t> order(octets.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint64_t at) { return octets[at]; });
  const std::uint64_t all = std::accumulate(octets.begin(), octets.end(), std::uint64_t{0});
  const std::uint64_t most = all / jobs + all / jobs / 20;  // octets for one process, with 5 % tolerance
  std::vector<std::vector<FilePart>> plan(jobs);
  std::vector<std::uint64_t> load(jobs);
  for (const std::uint64_t at : order) {
    const auto least = static_cast<std::size_t>(std::ranges::min_element(load) - load.begin());
    const bool is_whole = load[least] + octets[at] <= most;
    for (std::size_t job = 0; job < jobs; ++job) {
      if (is_whole && job != least) continue;
      plan[job].push_back({.place = at, .part = is_whole ? Shard{} : Shard{.index = job, .of = jobs}});
      load[job] += is_whole ? octets[at] : octets[at] / jobs;
    }
  }
  std::erase_if(plan, [](const std::vector<FilePart>& parts) { return parts.empty(); });
  for (std::vector<FilePart>& parts : plan) std::ranges::sort(parts, {}, &FilePart::place);
  return plan;
}

FileResults check_files_by(std::uint64_t jobs, std::span<const std::string> files, const CheckOptions& options,
                           const FileWatcher& watcher) {
  const auto octets = octets_of(files);
  if (jobs > 1 && octets && !octets->empty()) {
    catalogue_for(options.protocol);  // every process then has them
    if (auto results = judged_by(plan_of(jobs, *octets), files, options, watcher)) return std::move(*results);
  }
  return check_files(files, options, watcher);
}

}  // namespace wirelaw
