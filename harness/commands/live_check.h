// SPDX-License-Identifier: Apache-2.0
// wirelaw check --live: judges what passes an interface while it passes. This process captures, and writes what comes
// into a pipe; a process of its own judges the capture that it reads there, as it would any other, and says what it
// finds as it finds it. At the end of the capture the statistics in it say what the kernel has dropped.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "harness/check/check_files.h"

namespace wirelaw {

struct LiveOptions {
  std::string interface;  // empty: no live capture
  std::string filter;     // pcap-filter(7)
  std::string time;       // as duration_of() reads it; empty: until it is interrupted
};

// --live, --filter, --for.
void add_live_options(CLI::App& command, LiveOptions& options);

// Captures until SIGINT, SIGTERM or SIGHUP comes or the time is over, while `judge` judges standard input in a process
// of its own. Gives its status.
int judge_live(const LiveOptions& options, const std::function<int()>& judge);

// Findings go to standard error, a line each, as soon as they are made: "frame 7, …: RAMCLOUD-ack-5: expected …".
void say_findings_at_once(FileWatcher& watcher);

}  // namespace wirelaw
