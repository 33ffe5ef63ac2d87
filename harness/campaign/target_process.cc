// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/target_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostOutput = std::size_t{256} << 10;
constexpr int kShellAddsToSignal = 128;

std::string text_from(const std::filesystem::path& path, std::size_t offset) {
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(offset));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Has no terminal and has its own process group, so that this program passes interrupts on in order.
int spawn(const std::filesystem::path& program, std::vector<std::string>& words, const std::filesystem::path& log,
          pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int one : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&defaults, one);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int error = posix_spawn(&pid, program.c_str(), &actions, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

tl::expected<TargetProcess, std::string> TargetProcess::start(const std::filesystem::path& program,
                                                              std::vector<std::string> words,
                                                              std::filesystem::path log) {
  words.insert(words.begin(), program.string());
  pid_t pid = -1;
  if (const int error = spawn(program, words, log, pid); error != 0)
    return tl::unexpected(fmt::format("{}: cannot be run: {}", program.string(),
                                      std::error_code(error, std::generic_category()).message()));
  return TargetProcess(pid, std::move(log));
}

TargetProcess::TargetProcess(TargetProcess&& from) noexcept
    : pid_(std::exchange(from.pid_, -1)), log_(std::move(from.log_)), read_(from.read_), status_(from.status_) {}

TargetProcess& TargetProcess::operator=(TargetProcess&& from) noexcept {
  std::swap(pid_, from.pid_);
  std::swap(log_, from.log_);
  std::swap(read_, from.read_);
  std::swap(status_, from.status_);
  return *this;
}

TargetProcess::~TargetProcess() {
  if (pid_ < 0 || status_) return;
  ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::vector<std::string> TargetProcess::lines() {
  const std::string text = text_from(log_, read_);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  read_ += begin;
  return lines;
}

std::optional<int> TargetProcess::ended() {
  if (status_ || pid_ < 0) return status_;
  int how = 0;
  if (::waitpid(pid_, &how, WNOHANG) != pid_) return std::nullopt;
  status_ = WIFSIGNALED(how) ? kShellAddsToSignal + WTERMSIG(how) : WEXITSTATUS(how);
  return status_;
}

void TargetProcess::interrupt() const {
  if (pid_ >= 0 && !status_) ::kill(-pid_, SIGINT);
}

std::string TargetProcess::output() const {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(log_, failed);
  return text_from(log_, !failed && size > kMostOutput ? size - kMostOutput : 0);
}

tl::expected<TargetRun, std::string> run_target(const std::filesystem::path& program, std::vector<std::string> words,
                                                const std::filesystem::path& log, double seconds) {
  auto process = TargetProcess::start(program, std::move(words), log);
  if (!process) return tl::unexpected(process.error());
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!process->ended() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return TargetRun{process->ended(), process->output()};
}

}  // namespace wirelaw::campaign
