// SPDX-License-Identifier: Apache-2.0
// The command that starts an IUT, or that is one. /bin/sh runs it in its own process group, which ends with the case.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "conformance/transport.h"

namespace wirelaw {

struct ProcessEnd {
  bool by_signal = false;
  int number = 0;  // the signal, or the exit status
};
// Ended by a signal that shows a fault in the program. SIGPIPE (the peer's end causes it) and kill signals do not
// count.
bool is_crash(const ProcessEnd& end);
std::string to_text(const ProcessEnd& end);  // "killed by signal 6 (Aborted)", "ended with status 3"

class TriggerProcess {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;  // added to this process's own

  // Starts the command. Its standard output goes to `output`, by default to our standard error, so that it cannot spoil
  // a report.
  static tl::expected<TriggerProcess, TransportError> start(const std::string& command, const Environment& environment,
                                                            int output = 2);

  TriggerProcess(TriggerProcess&& from) noexcept;
  TriggerProcess& operator=(TriggerProcess&&) = delete;
  ~TriggerProcess() { end(); }

  // True if the whole group ends within this time. A negative time means no limit.
  bool wait(int milliseconds) const;
  // Returns how the command itself ended, if it did within this time. A shell's exit status 128 + N counts as ended by
  // signal N.
  std::optional<ProcessEnd> ended(int milliseconds) const;
  // Asks the whole group to end (SIGTERM), and does not wait for it.
  void ask_to_end() const;
  // Ends the whole group: asks it to end, and kills it a second later. Returns the command's exit status if it had
  // already ended by itself.
  std::optional<int> end();

 private:
  TriggerProcess(int pid, int alive) : pid_(pid), alive_(alive) {}

  int pid_;    // also of the group; -1 once it has ended
  int alive_;  // a pipe that closes when the last process of the group has ended
};

// From now on SIGINT, SIGTERM and SIGHUP end the triggers that are running before they end this process.
void end_triggers_on_signals();

}  // namespace wirelaw
