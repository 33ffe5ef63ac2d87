// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/program_test.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <test_paths.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

extern char** environ;

namespace wirelaw {
namespace {

constexpr const char* kProgram = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";

class Actions {
 public:
  Actions() { posix_spawn_file_actions_init(&actions_); }
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  void open(int descriptor, const std::string& path, int flags) {
    posix_spawn_file_actions_addopen(&actions_, descriptor, path.c_str(), flags, 0600);
  }
  void close(int descriptor) { posix_spawn_file_actions_addclose(&actions_, descriptor); }
  void duplicate(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// Ends a program that hangs, so that its test fails by name and the other tests still run.
void expect_to_end(pid_t child, const std::vector<std::string>& words) {
  constexpr int kMillisecondsAtMost = 600'000;
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  ASSERT_GE(process, 0) << "pidfd_open: " << std::strerror(errno);
  pollfd ended{.fd = process, .events = POLLIN, .revents = 0};
  int ready = 0;
  while ((ready = ::poll(&ended, 1, kMillisecondsAtMost)) < 0 && errno == EINTR) {
  }
  ::close(process);
  if (ready != 0) return;
  ::kill(child, SIGKILL);
  ADD_FAILURE() << "it has not ended after ten minutes: wirelaw " << fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

ProgramRun run_wirelaw(const std::vector<std::string>& words, const Redirect& redirect) {
  return run_program(kProgram, words, redirect);
}

ProgramRun run_program(const std::string& program, const std::vector<std::string>& words, const Redirect& redirect) {
  const std::string base = ::testing::TempDir() + "wirelaw_run_" + std::to_string(::getpid());
  const std::string out = base + ".out", err = base + ".err";
  constexpr int kFresh = O_WRONLY | O_CREAT | O_TRUNC;
  Actions actions;
  actions.open(0, redirect.in, O_RDONLY);
  actions.open(2, err, kFresh);
  int pipe_ends[2] = {-1, -1};
  if (redirect.out_is_closed) {
    actions.close(1);
  } else if (redirect.out_is_gone) {
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return {};
    ::close(pipe_ends[0]);
    actions.duplicate(pipe_ends[1], 1);
  } else {
    actions.open(1, redirect.out.empty() ? out : redirect.out, kFresh);
  }
  if (redirect.err_is_out) actions.duplicate(1, 2);
  std::vector<std::string> copies{program};
  copies.insert(copies.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  ProgramRun run;
  if (::posix_spawn(&child, program.c_str(), actions.get(), nullptr, arguments.data(), environ) != 0) return run;
  if (pipe_ends[1] >= 0) ::close(pipe_ends[1]);
  expect_to_end(child, words);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (redirect.out.empty() && !redirect.out_is_gone && !redirect.out_is_closed) run.out = read_file(out);
  run.err = read_file(err);
  std::filesystem::remove(out);
  std::filesystem::remove(err);
  return run;
}

std::string free_uri(const std::string& protocol) {
  const std::string line = run_wirelaw({"serve", protocol, "--idle", "0.001"}).out;
  const std::string uri = line.substr(line.rfind(' ') + 1);
  return uri.substr(0, uri.find_first_of("?\n"));
}

inline namespace for_tests {

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace for_tests
}  // namespace wirelaw
