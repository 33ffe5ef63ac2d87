// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/case_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <utility>

#include "harness/transports/trigger_process.h"

namespace wirelaw {
namespace {

ProcessEnd end_of(int status) {
  if (WIFSIGNALED(status)) return {.by_signal = true, .number = WTERMSIG(status)};
  return {.by_signal = false, .number = WEXITSTATUS(status)};
}

sigset_t ending_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int one : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, one);
  return signals;
}

}  // namespace

// --------------------------------------------------------------------------------------------------------------- line

Line::Line(Line&& from) noexcept : descriptor_(std::exchange(from.descriptor_, -1)), read_(std::move(from.read_)) {}

Line& Line::operator=(Line&& from) noexcept {
  std::swap(descriptor_, from.descriptor_);
  std::swap(read_, from.read_);
  return *this;
}

// Others may have inherited the descriptor.
void Line::close() {
  if (descriptor_ < 0) return;
  ::shutdown(descriptor_, SHUT_RDWR);
  ::close(std::exchange(descriptor_, -1));
}

bool Line::say(char kind, std::string_view text) {
  char head[1 + sizeof(std::uint64_t)];
  const std::uint64_t octets = text.size();
  head[0] = kind;
  std::memcpy(head + 1, &octets, sizeof octets);
  std::string all(head, sizeof head);
  all += text;
  for (std::string_view left = all; !left.empty();) {
    const ssize_t sent = ::send(descriptor_, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent >= 0)
      left.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

bool Line::read_some() {
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = ::recv(descriptor_, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    read_.append(buffer, static_cast<std::size_t>(got));
    return true;
  }
}

std::optional<Line::Said> Line::take() {
  constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);
  if (read_.size() < kHead) return std::nullopt;
  std::uint64_t octets = 0;
  std::memcpy(&octets, read_.data() + 1, sizeof octets);
  if (read_.size() - kHead < octets) return std::nullopt;
  Said said{.kind = read_[0], .text = read_.substr(kHead, octets)};
  read_.erase(0, kHead + octets);
  return said;
}

std::optional<Line::Said> Line::hear() {
  while (true) {
    if (auto said = take()) return said;
    if (!read_some()) return std::nullopt;
  }
}

// ------------------------------------------------------------------------------------------------------------ process

CaseProcess::CaseProcess(const std::function<void(Line& line)>& work) : line_(-1) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  const pid_t parent = ::getpid();
  sigset_t before;
  const sigset_t endings = ending_signals();
  ::sigprocmask(SIG_BLOCK, &endings, &before);
  process_ = ::fork();
  if (process_ != 0) ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (process_ == 0) {
    ::close(ends[0]);
    ::setpgid(0, 0);
    ::signal(SIGTTOU, SIG_IGN);  // its output goes to the terminal even from a background process group
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    {
      Line line(ends[1]);
      if (::getppid() == parent) work(line);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  line_ = Line(ends[0]);
}

void CaseProcess::take_signals() {
  const sigset_t endings = ending_signals();
  ::sigprocmask(SIG_UNBLOCK, &endings, nullptr);
}

CaseProcess::CaseProcess(CaseProcess&& from) noexcept
    : process_(std::exchange(from.process_, -1)), line_(std::move(from.line_)) {}

// A process that waits for the next case ends when its line closes; one that runs a case is asked to end.
CaseProcess::~CaseProcess() {
  constexpr int kAsked = 50, kTries = 500;
  constexpr timespec kBetween{0, 10'000'000};  // five seconds for all tries
  if (process_ <= 0) return;
  line_.close();
  for (int i = 0; i < kTries; ++i) {
    if (::waitpid(process_, nullptr, WNOHANG) != 0) return;
    if (i == kAsked) signal(SIGTERM);
    ::nanosleep(&kBetween, nullptr);
  }
  signal(SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void CaseProcess::signal(int number) const {
  if (process_ > 0) ::kill(process_, number);
}

std::string CaseProcess::how_it_ended() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return to_text(end_of(status));
}

}  // namespace wirelaw
