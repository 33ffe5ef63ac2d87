// SPDX-License-Identifier: Apache-2.0
// One process of a fuzz target. Its output goes to a file, which is read as it grows.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace wirelaw::campaign {

class TargetProcess {
 public:
  // The log is truncated. The error is one line.
  static tl::expected<TargetProcess, std::string> start(const std::filesystem::path& program,
                                                        std::vector<std::string> words, std::filesystem::path log);

  TargetProcess(TargetProcess&& from) noexcept;
  TargetProcess& operator=(TargetProcess&& from) noexcept;
  ~TargetProcess();  // ends it

  // The complete lines that it has printed since.
  std::vector<std::string> lines();
  // Returns its exit status once it has ended, as a shell reports it: 128 plus the signal if a signal has ended it.
  std::optional<int> ended();
  // Asks the process to end normally.
  void interrupt() const;
  std::string output() const;  // all of it, only the end if that is long

 private:
  TargetProcess(pid_t pid, std::filesystem::path log) : pid_(pid), log_(std::move(log)) {}

  pid_t pid_ = -1;
  std::filesystem::path log_;
  std::size_t read_ = 0;
  std::optional<int> status_;
};

// Runs it to its end. The status is nothing if it took longer than `seconds`, and was ended.
struct TargetRun {
  std::optional<int> status;
  std::string output;
};
tl::expected<TargetRun, std::string> run_target(const std::filesystem::path& program, std::vector<std::string> words,
                                                const std::filesystem::path& log, double seconds);

}  // namespace wirelaw::campaign
