// SPDX-License-Identifier: Apache-2.0
// For tests: a program that runs in parallel with the test in its own environment, and ends with it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace wirelaw::lab {

using Variables = std::map<std::string, std::string>;  // added to the test's own

class Process {
 public:
  // Standard output and error are kept together.
  Process(const std::vector<std::string>& words, const Variables& variables);
  ~Process();  // kills it if it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // The first line that begins so; empty if the program ends without it.
  std::string wait_for_line(const std::string& beginning);
  // Reads its output to the end. Returns the exit status; 128 plus the signal if a signal has ended it.
  int wait();
  void signal(int number) const;
  bool running() const;
  int id() const { return pid_; }
  const std::string& output() const { return output_; }

 private:
  bool read_more();

  int pid_ = -1;
  int pipe_ = -1;
  int status_ = -1;
  std::string output_;
};

// True if a program of this name is in PATH.
bool is_installed(const std::string& program);

}  // namespace wirelaw::lab
