// SPDX-License-Identifier: Apache-2.0
// The options of `wirelaw check`, and the function that judges. A relay uses it too, for its own recording.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/commands/capture_options.h"
#include "harness/commands/live_check.h"
#include "harness/commands/output_options.h"

namespace wirelaw {

// Facts about a relay's run, for the process that judges its recording.
struct RelayEnd {
  bool is_peer_lost = false;  // no initiator got an answer
  std::string deeds = {};     // RelayCounts::deeds()
  // Why there was nothing to judge, if no initiator came.
  std::optional<InputProblem> unused = {};
};

struct CheckCommand {
  CaptureOptions capture;
  OutputOptions output;
  std::string pcapng;
  std::uint64_t jobs = 1;
  std::string shard;
  LiveOptions live;
  // --- a run that is judged while it continues: its frames come through standard input
  std::string source;     // name of their source; empty: the captures are files
  std::string recording;  // a file that has them all when the run has ended; empty: there is none
  // Asked when they have ended. Empty: it was no relay.
  std::function<RelayEnd()> relay_end = {};

  bool is_live() const { return !source.empty(); }
};

// Judges the captures and writes the reports. Returns the exit status.
int judge_captures(CheckCommand command);

}  // namespace wirelaw
