// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/trigger_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <system_error>

#include "harness/transports/local_resource_error.h"

extern char** environ;

namespace wirelaw {
namespace {

constexpr int kGraceMilliseconds = 1000;

// The groups that are running, for the signal handler; 0 is a free place. More than fit are not ended by a signal.
std::array<std::atomic<int>, 64> running_groups{};
static_assert(std::atomic<int>::is_always_lock_free);

void replace_group(int old_group, int new_group) {
  for (std::atomic<int>& place : running_groups) {
    int expected = old_group;
    if (place.compare_exchange_strong(expected, new_group)) return;
  }
}

void end_groups(int signal) {
  for (const std::atomic<int>& place : running_groups)
    if (const int group = place.load(); group > 0) ::kill(-group, SIGTERM);
  ::raise(signal);  // which has its default effect again
}

std::string message_of(int error) {
  return std::generic_category().message(error);
}

std::vector<std::string> merged(const TriggerProcess::Environment& added) {
  std::vector<std::string> lines;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view line = *entry;
    const bool replaced = std::ranges::any_of(added, [&](const auto& one) {
      return line.size() > one.first.size() && line.starts_with(one.first) && line[one.first.size()] == '=';
    });
    if (!replaced) lines.emplace_back(line);
  }
  for (const auto& [name, value] : added) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& lines) {
  std::vector<char*> result;
  for (std::string& line : lines) result.push_back(line.data());
  result.push_back(nullptr);
  return result;
}

// Starts the command in a new group, with its output to the given descriptor and default signals. The pipe's write end
// stays open in it.
int spawn(const std::string& command, const TriggerProcess::Environment& environment, int output, int pipe_end,
          pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_end, pipe_end);  // clears close-on-exec in the child alone
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGTERM);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> words{"sh", "-c", command};
  std::vector<std::string> lines = merged(environment);
  const int error = posix_spawn(&pid, "/bin/sh", &actions, &attributes, pointers(words).data(), pointers(lines).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

tl::expected<TriggerProcess, TransportError> TriggerProcess::start(const std::string& command,
                                                                   const Environment& environment, int output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return tl::unexpected(TransportError{"cannot open a pipe: " + message_of(errno), kNoSocket});
  pid_t pid = -1;
  const int error = spawn(command, environment, output, ends[1], pid);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    return tl::unexpected(
        TransportError{fmt::format("cannot run '{}': {}", command, message_of(error)), "check the command"});
  }
  replace_group(0, pid);
  return TriggerProcess(pid, ends[0]);
}

TriggerProcess::TriggerProcess(TriggerProcess&& from) noexcept
    : pid_(std::exchange(from.pid_, -1)), alive_(std::exchange(from.alive_, -1)) {}

bool TriggerProcess::wait(int milliseconds) const {
  pollfd waited{.fd = alive_, .events = 0, .revents = 0};
  return ::poll(&waited, 1, milliseconds) > 0;
}

std::optional<ProcessEnd> TriggerProcess::ended(int milliseconds) const {
  constexpr int kShellAddsToSignal = 128;
  // The process that closed the pipe is about to become a zombie.
  constexpr int kTries = 100, kBetween = 10'000'000;
  const bool gone = pid_ >= 0 && wait(milliseconds);
  for (int i = 0; pid_ >= 0 && i < (gone ? kTries : 1); ++i) {
    siginfo_t how{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &how, WEXITED | WNOHANG | WNOWAIT) != 0) break;
    if (how.si_pid == pid_) {
      if (how.si_code != CLD_EXITED) return ProcessEnd{true, how.si_status};
      const bool shells = how.si_status > kShellAddsToSignal && how.si_status < kShellAddsToSignal + NSIG;
      return shells ? ProcessEnd{true, how.si_status - kShellAddsToSignal} : ProcessEnd{false, how.si_status};
    }
    const timespec between{0, kBetween};
    if (gone) ::nanosleep(&between, nullptr);
  }
  return std::nullopt;
}

bool is_crash(const ProcessEnd& end) {
  static constexpr int kCrashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  return end.by_signal && std::ranges::find(kCrashes, end.number) != std::end(kCrashes);
}

std::string to_text(const ProcessEnd& end) {
  if (!end.by_signal) return fmt::format("ended with status {}", end.number);
  const char* const name = ::sigdescr_np(end.number);
  return fmt::format("killed by signal {} ({})", end.number, name == nullptr ? "unknown" : name);
}

void TriggerProcess::ask_to_end() const {
  if (pid_ >= 0 && !ended(0)) ::kill(-pid_, SIGTERM);
}

std::optional<int> TriggerProcess::end() {
  if (pid_ < 0) return std::nullopt;
  // Until the command itself has been waited for, no other process or group can get its number.
  bool by_itself = wait(0);
  if (!by_itself) {
    siginfo_t before{};
    by_itself =
        waitid(P_PID, static_cast<id_t>(pid_), &before, WEXITED | WNOHANG | WNOWAIT) == 0 && before.si_pid == pid_;
    ::kill(-pid_, SIGTERM);
    if (!wait(kGraceMilliseconds)) ::kill(-pid_, SIGKILL);
  }
  replace_group(pid_, 0);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(alive_);
  pid_ = alive_ = -1;
  return by_itself && WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

void end_triggers_on_signals() {
  struct sigaction action {};
  action.sa_handler = end_groups;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

}  // namespace wirelaw
