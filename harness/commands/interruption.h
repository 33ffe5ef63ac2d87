// SPDX-License-Identifier: Apache-2.0
// Interrupts a run: after SIGINT, SIGTERM or SIGHUP it ends in order; after SIGKILL, its started peers end.
#pragma once

#include <atomic>

namespace wirelaw {

// From now on, the first of these signals only sets the returned value to its number. A second one ends the running
// commands and then this process, in the usual way.
const std::atomic<int>& interruption();

// A process that waits for the end of this one. If this one ends without a word, for example by SIGKILL, the keeper
// ends what has kVariable with the same value in its environment: the commands of --start and --trigger, and what
// they have started.
class Keeper {
 public:
  static constexpr const char* kVariable = "WIRELAW_RUN";

  // Create it before any other thread exists. If it cannot be created, a run works without it.
  Keeper();
  ~Keeper();  // tells the keeper that the end is regular
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

 private:
  int process_ = -1;
  int word_ = -1;  // our end of a pipe; closed without a word if this process dies
};

}  // namespace wirelaw
