// SPDX-License-Identifier: Apache-2.0
// A listening IUT that a command starts anew for each case: what one case has done to it, its death included, the next
// one does not meet. A campaign may let it serve many.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/control/channel.h"
#include "harness/environment.h"

namespace wirelaw {

// How often it is started.
struct Starts {
  std::uint64_t every = 1;   // so many cases are served by one process, unless it ends before
  bool anew = true;          // the next case is served by another in any case; whoever shares processes resets it
  std::uint64_t served = 0;  // cases that the process at hand has begun
};

// The command is run by /bin/sh in a process group of its own, with WIRELAW_URI (where it is to listen) and
// WIRELAW_CASE in its environment, and WIRELAW_CONTROL (harness/control/channel.h); the group is ended before the next
// case. It says that it listens by a first line on its standard output; a case is not begun before that, nor at all
// where the line does not come within `start_time`. Parameters of its own, which the user need not know, are in a URI
// of this line: udp://127.0.0.1:7100?addr=0x7f0000. `starts`, which outlives it, may let a process serve on.
std::unique_ptr<Iut> make_started_iut(std::unique_ptr<Iut> listening, std::string command,
                                      std::chrono::nanoseconds start_time, control::MakeRemote remote = nullptr,
                                      Starts* starts = nullptr);

}  // namespace wirelaw
