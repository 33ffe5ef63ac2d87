// SPDX-License-Identifier: Apache-2.0
// wirelaw check --live: judges the traffic of an interface while it passes. This process captures, and writes the
// frames to a pipe. A separate process judges the capture from the pipe like any other, and prints findings
// immediately. The statistics at the end of the capture state how many frames the kernel has dropped.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "harness/check/check_files.h"

namespace wirelaw {

struct LiveOptions {
  std::string interface;  // empty: no live capture
  std::string filter;     // pcap-filter(7)
  std::string time;       // as in duration_of(); empty: until it is interrupted
};

// --live, --filter, --for.
void add_live_options(CLI::App& command, LiveOptions& options);

// Captures until SIGINT, SIGTERM or SIGHUP arrives or the time is over, while `judge` judges standard input in a
// separate process. Returns the status of `judge`.
int judge_live(const LiveOptions& options, const std::function<int()>& judge);

// A run that is judged while it is written, and its result.
struct JudgedFeed {
  int status = 0;                      // exit status of the judging process
  std::optional<std::string> trouble;  // error of `feed`
};
// Starts a process that calls `judge`; its standard input is what `feed` writes to standard output here. SIGINT,
// SIGTERM and SIGHUP are for the feeding process: the judge ends when its input does. `release` frees in the judging
// process what only the feeding one needs. The error is one line: there is no pipe, or no process.
tl::expected<JudgedFeed, std::string> judge_feed(const std::function<std::optional<std::string>()>& feed,
                                                 const std::function<void()>& release,
                                                 const std::function<int()>& judge);

// Prints findings to standard error, one per line, as soon as they are made: "frame 7, …: RAMCLOUD-ack-5: expected …".
void say_findings_at_once(FileWatcher& watcher);

}  // namespace wirelaw
