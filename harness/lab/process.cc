// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

extern char** environ;

namespace wirelaw::lab {
namespace {

std::vector<std::string> environment_with(const Variables& variables) {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    if (!variables.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (std::string& one : strings) all.push_back(one.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Process::Process(const std::vector<std::string>& words, const Variables& variables) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<std::string> arguments = words, environment = environment_with(variables);
  if (::posix_spawnp(&pid_, words[0].c_str(), &actions, nullptr, pointers(arguments).data(),
                     pointers(environment).data()) != 0)
    pid_ = -1;
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  pipe_ = ends[0];
}

Process::~Process() {
  if (pid_ > 0) {
    signal(SIGKILL);
    wait();
  }
  if (pipe_ >= 0) ::close(pipe_);
}

bool Process::read_more() {
  char buffer[4096];
  ssize_t got = 0;
  do got = ::read(pipe_, buffer, sizeof buffer);
  while (got < 0 && errno == EINTR);
  if (got > 0) output_.append(buffer, static_cast<std::size_t>(got));
  return got > 0;
}

std::string Process::wait_for_line(const std::string& beginning) {
  do {
    std::istringstream lines(output_);
    for (std::string line; std::getline(lines, line) && !lines.eof();)
      if (line.starts_with(beginning)) return line;
  } while (read_more());
  return {};
}

int Process::wait() {
  if (pid_ < 0) return status_;
  while (read_more()) {
  }
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  pid_ = -1;
  return status_;
}

void Process::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

bool Process::running() const {
  siginfo_t info = {};
  return pid_ > 0 && ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace wirelaw::lab
