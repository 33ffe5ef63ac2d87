// SPDX-License-Identifier: Apache-2.0
// The line with which a command that --start has started says that it listens.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "conformance/transport.h"
#include "harness/transports/trigger_process.h"

namespace wirelaw {

// The standard output of a command. It is a file in memory, so that the command never waits for us to read.
class CommandOutput {
 public:
  CommandOutput();
  ~CommandOutput();
  CommandOutput(const CommandOutput&) = delete;
  CommandOutput& operator=(const CommandOutput&) = delete;

  int file() const { return file_; }  // for TriggerProcess::start()
  // Returns the first line once it is complete.
  std::optional<std::string> line();

 private:
  int file_;
  off_t read_ = 0;
  std::string text_;
};

// Waits for the first line of the command. It is an error if the line does not arrive within `start_time`, or if the
// command ends without it.
tl::expected<std::string, TransportError> await_first_line(const TriggerProcess& process, CommandOutput& output,
                                                           const std::string& command,
                                                           std::chrono::nanoseconds start_time);

}  // namespace wirelaw
