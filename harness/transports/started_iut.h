// SPDX-License-Identifier: Apache-2.0
// A listening IUT that a command starts for each case: what one case has done to it, even its death, does not affect
// the next. A campaign may let it serve many cases.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/control/channel.h"
#include "harness/environment.h"

namespace wirelaw {

// The number of times that it is started.
struct Starts {
  std::uint64_t every = 1;   // one process serves so many cases, unless it ends before
  bool anew = true;          // another process serves the next case in any case; a caller that shares processes clears
                             // it
  std::uint64_t served = 0;  // cases that the current process has begun
  std::string said = {};     // the first line from the present process
};

// /bin/sh runs the command in its own process group, with WIRELAW_URI (where it is to listen) and WIRELAW_CASE in its
// environment, and WIRELAW_CONTROL (harness/control/channel.h). The group is ended before the next case. The first line
// on its standard output announces that it listens. A case does not begin before that, and not at all if the line does
// not come within `start_time`. Parameters that the user need not know are in a URI on this line:
// udp://127.0.0.1:7100?addr=0x7f0000. `starts`, which outlives it, may let a process serve several cases.
std::unique_ptr<Iut> make_started_iut(std::unique_ptr<Iut> listening, std::string command,
                                      std::chrono::nanoseconds start_time, control::MakeRemote remote = nullptr,
                                      Starts* starts = nullptr);

}  // namespace wirelaw
