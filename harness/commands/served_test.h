// SPDX-License-Identifier: Apache-2.0
// `wirelaw serve` as a process beside a test.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <test_paths.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace wirelaw {

// A served peer. It exists once it has printed its address.
class Served {
 public:
  explicit Served(std::vector<std::string> words, const std::string& protocol = "ramcloud") {
    const std::string program = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";
    words.insert(words.begin(), {program, "serve", protocol});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (::posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments.data(), environ) != 0) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) line_ += c;
    ::close(ends[0]);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() { end(SIGKILL); }

  const std::string& line() const { return line_; }
  std::string uri() const { return line_.substr(line_.rfind(' ') + 1); }
  // The URI of this transport, if it serves several.
  std::string uri_of(const std::string& scheme) const {
    const std::size_t at = line_.find(scheme + "://");
    return at == std::string::npos ? std::string() : line_.substr(at, line_.find_first_of(" ,", at) - at);
  }
  pid_t process() const { return pid_; }
  // Its exit status, or minus the signal.
  int end(int signal) {
    if (pid_ <= 0) return -1;
    int status = 0;
    ::kill(pid_, signal);
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_ = -1;
  std::string line_;
};

}  // namespace wirelaw
