// SPDX-License-Identifier: Apache-2.0
// What `wirelaw check` was asked for, and what judges it: also for a relay, which judges its own recording.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/commands/capture_options.h"
#include "harness/commands/live_check.h"
#include "harness/commands/output_options.h"

namespace wirelaw {

// What a relay knows of its run, for whoever judges its recording.
struct RelayEnd {
  bool is_peer_lost = false;  // no initiator got an answer
  std::string deeds = {};     // RelayCounts::deeds()
};

struct CheckCommand {
  CaptureOptions capture;
  OutputOptions output;
  std::string pcapng;
  std::uint64_t jobs = 1;
  std::string shard;
  LiveOptions live;
  // --- of a run that is judged while it goes on: its frames come over standard input
  std::string source;     // what they come from, by name; empty: the captures are files
  std::string recording;  // a file that has them all when the run has ended; empty: there is none
  // Asked when they have ended. Empty: it was no relay.
  std::function<RelayEnd()> relay_end = {};

  bool is_live() const { return !source.empty(); }
};

// Judges the captures and writes the reports. Gives the exit status.
int judge_captures(CheckCommand command);

}  // namespace wirelaw
