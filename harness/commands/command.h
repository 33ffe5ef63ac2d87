// SPDX-License-Identifier: Apache-2.0
// The convention of subcommands. Each is one file with one function add_NAME(), which adds the subcommand with its
// options to the root and sets `status` when it has run; it is listed in kCommands in wirelaw.cc and described in
// wirelaw.1. Options whose value is one of a few words state them as their type name, "must|should": help and shell
// completion read it there. A type name FILE completes file names.
#pragma once

#include <CLI/CLI.hpp>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "reports/gate.h"
#include "reports/output.h"

namespace wirelaw {

void add_check(CLI::App& root, int& status);
void add_decode(CLI::App& root, int& status);
void add_script(CLI::App& root, int& status);
void add_rules(CLI::App& root, int& status);
void add_explain(CLI::App& root, int& status);
void add_merge(CLI::App& root, int& status);
void add_diff(CLI::App& root, int& status);
void add_matrix(CLI::App& root, int& status);
void add_peers(CLI::App& root, int& status);
void add_test(CLI::App& root, int& status);
void add_serve(CLI::App& root, int& status);
void add_relay(CLI::App& root, int& status);
void add_interop(CLI::App& root, int& status);
void add_fuzz(CLI::App& root, int& status);
void add_ics(CLI::App& root, int& status);
void add_certify(CLI::App& root, int& status);
void add_verify(CLI::App& root, int& status);
void add_devices(CLI::App& root, int& status);
void add_completion(CLI::App& root, int& status);

// Prints "wirelaw: MESSAGE" on standard error, always as one line. Returns the status for wrong use or unreadable
// input.
int complain(std::string_view message);

// The exit status if output could not be written, which is reported in one line. If standard output has lost its
// reader, there is nobody to report to. Then the status is kReaderGone, and main() ends the program by SIGPIPE, like
// any filter.
int cannot_write(std::string_view message, bool to_standard_output);
inline constexpr int kReaderGone = 128 + SIGPIPE;
// The status of a program ended by this signal. If a subcommand returns it, main() ends the program by the signal.
inline constexpr int kEndedBySignal = 128;

// Commits a subcommand's output. Returns `status` if all of it was written.
int finish(Output& out, int status = 0);

// The version of this build: "0.1.0".
std::string_view version();
// The commit that this build was made from: "4292fae6d8a1", "4292fae6d8a1, modified", or "unknown".
std::string_view commit();

// The words that this process was called with.
const std::vector<std::string>& command_line();

// The words of the protocols, for a type name: "ramcloud|efa".
std::string protocol_words();
std::string live_protocol_words();  // the protocols that live tests support

// The end of each subcommand's --help.
inline constexpr std::string_view kExitStatuses =
    R"(Exit status:
  0  nothing failed
  1  a MUST failed (with --fail-on should: a SHOULD too)
  2  wrong use, unreadable input, or output that could not be written; a test in which no case passed and nothing
     failed, or in which more cases were inconclusive than --max-inconclusive allows
  3  the peer could not be reached, serves nothing, no longer serves an honest exchange, or died
  128 + N  signal N interrupted a test, which reports what was done
)";

}  // namespace wirelaw
