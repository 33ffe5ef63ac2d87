// SPDX-License-Identifier: Apache-2.0
// A run that somebody wants to end: by SIGINT, SIGTERM or SIGHUP it ends in order, by SIGKILL its started peers do.
#pragma once

#include <atomic>

namespace wirelaw {

// From now on the first of these signals only sets what is given back to its number; a second one ends the commands
// that are running, and then this process, as it would have without.
const std::atomic<int>& interruption();

// A process that waits for the end of this one, whatever that is. Of one that ends without a word, by SIGKILL say, it
// ends what has kVariable with the same value in its environment: the commands of --start and --trigger, and what
// they have started.
class Keeper {
 public:
  static constexpr const char* kVariable = "WIRELAW_RUN";

  // To be made before there is another thread. Where it cannot be made, a run goes without.
  Keeper();
  ~Keeper();  // says the word
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

 private:
  int process_ = -1;
  int word_ = -1;  // its end of a pipe is closed without a word where this process dies
};

}  // namespace wirelaw
