// SPDX-License-Identifier: Apache-2.0
// wirelaw check --live: judges what passes an interface while it passes. This process captures, and writes what comes
// into a pipe; a process of its own judges the capture that it reads there, as it would any other, and says what it
// finds as it finds it. At the end of the capture the statistics in it say what the kernel has dropped.
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

// Captures until SIGINT, SIGTERM or SIGHUP comes or the time is over, while `judge` judges standard input in a process
// of its own. Gives its status.
int judge_live(const LiveOptions& options, const std::function<int()>& judge);

// A run that is judged while it is written, and its result.
struct JudgedFeed {
  int status = 0;                      // exit status of the judging process
  std::optional<std::string> trouble;  // error of `feed`
};
// Starts a process that calls `judge` with what `feed` writes to standard output here as its standard input. SIGINT,
// SIGTERM and SIGHUP are for the one that feeds it: the judge ends when its input does. `release` frees in the judging
// process what only the other needs. The error is one line: there is no pipe, or no process.
tl::expected<JudgedFeed, std::string> judge_feed(const std::function<std::optional<std::string>()>& feed,
                                                 const std::function<void()>& release,
                                                 const std::function<int()>& judge);

// Prints findings to standard error, one per line, as soon as they are made: "frame 7, …: RAMCLOUD-ack-5: expected …".
void say_findings_at_once(FileWatcher& watcher);

}  // namespace wirelaw
