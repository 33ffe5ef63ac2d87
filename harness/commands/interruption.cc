// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/interruption.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/transports/trigger_process.h"

namespace wirelaw {
namespace {

std::atomic<int> interrupted_by_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

// A user who sends a second signal does not want to wait.
void take_note(int signal) {
  interrupted_by_signal = signal;
  end_triggers_on_signals();
}

// --- the keeper's side

constexpr int kTries = 20;
constexpr long kBetween = 50'000'000;  // nanoseconds: a second for all tries

enum class HasEntry : std::uint8_t { no, yes, undecided };

// True if this entry was in the environment when the process started. A process that is about to run another program
// has no environment for a moment. Kernel threads and ended processes have none either, but those have no program.
HasEntry has_entry(const std::filesystem::path& process, const std::string& entry) {
  std::ostringstream environment;
  environment << '\0' << std::ifstream(process / "environ", std::ios::binary).rdbuf() << '\0';
  const std::string text = environment.str();
  if (text.find('\0' + entry + '\0') != std::string::npos) return HasEntry::yes;
  std::error_code failed;
  const bool is_bare = text.find_first_not_of('\0') == std::string::npos;
  return is_bare && !std::filesystem::read_symlink(process / "exe", failed).empty() ? HasEntry::undecided
                                                                                    : HasEntry::no;
}

struct Processes {
  std::vector<pid_t> certain;
  bool may_be_more = false;
};

// The processes with this entry in their environment.
Processes processes_with(const std::string& entry) {
  Processes found;
  std::error_code failed;
  for (std::filesystem::directory_iterator one("/proc", failed), end; !failed && one != end; one.increment(failed)) {
    const std::string name = one->path().filename().string();
    pid_t process = 0;
    const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (error != std::errc{} || rest != name.data() + name.size() || process == ::getpid()) continue;
    const HasEntry has = has_entry(one->path(), entry);
    if (has == HasEntry::yes) found.certain.push_back(process);
    found.may_be_more |= has == HasEntry::undecided;
  }
  return found;
}

// Asks each process to end, once.
void end_all(const std::string& entry) {
  std::set<pid_t> asked;
  for (int i = 0; i <= kTries; ++i) {
    const Processes left = processes_with(entry);
    if (left.certain.empty() && !left.may_be_more) return;
    for (const pid_t process : left.certain)
      if (i == kTries)
        ::kill(process, SIGKILL);
      else if (asked.insert(process).second)
        ::kill(process, SIGTERM);
    const timespec between{0, kBetween};
    ::nanosleep(&between, nullptr);
  }
}

// Close all of the caller's descriptors: a reader that waits for the end of its output waits only for the caller.
void leave_the_caller(int kept) {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor <= 2; ++descriptor) ::dup2(nothing, descriptor);
  for (int descriptor = 3; descriptor < 1024; ++descriptor)
    if (descriptor != kept) ::close(descriptor);
}

[[noreturn]] void keep(int word, const std::string& entry) {
  leave_the_caller(word);
  char said = 0;
  ssize_t got = -1;
  while ((got = ::read(word, &said, sizeof said)) < 0 && errno == EINTR) {
  }
  if (got == 0) end_all(entry);
  ::_exit(0);
}

}  // namespace

const std::atomic<int>& interruption() {
  struct sigaction action {};
  action.sa_handler = take_note;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  return interrupted_by_signal;
}

Keeper::Keeper() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const std::string value = fmt::format("{}-{}-{}", ::getpid(), now.tv_sec, now.tv_nsec);
  int ends[2];
  if (::setenv(kVariable, value.c_str(), 1) != 0 || ::pipe2(ends, O_CLOEXEC) != 0) return;
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[1]);
    ::unsetenv(kVariable);
    keep(ends[0], fmt::format("{}={}", kVariable, value));
  }
  ::close(ends[0]);
  word_ = ends[1];
}

Keeper::~Keeper() {
  if (word_ >= 0) {
    static_cast<void>(!::write(word_, "", 1));
    ::close(word_);
  }
  while (process_ > 0 && ::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace wirelaw
