// SPDX-License-Identifier: Apache-2.0
// The options of `wirelaw test`, and the IUT that they describe.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/commands/output_options.h"
#include "harness/transports/scheme.h"

namespace wirelaw {

class WireCapture;
struct Starts;

struct TestCommand {
  std::string protocol, uri, start, listen, trigger, role, application = "echo", record, revision;
  std::string capture_on;
  std::string record_mark;  // RunNote::mark
  std::vector<std::string> rules, sections, cases, skipped, deviations, features, scripts;
  std::optional<double> deadline;  // default: kDeadline; kVirtualDeadline for a peer in memory
  double answer_time = 2, silence_time = 0.5, start_time = 10;
  std::optional<std::uint64_t> seed;
  std::uint64_t repeat = 1;      // runs of all cases
  std::uint64_t repetition = 0;  // index of this run
  std::uint64_t jobs = 0;        // processes that run them; 0: jobs_of() decides
  std::string shard;
  bool list = false, keep_going = false;
  bool slow = false;         // also run the cases that take longer than kSlowCaseSeconds
  Starts* starts = nullptr;  // for --start, if its process may serve more than one case
  OutputOptions output;
};

inline constexpr double kDeadline = 60, kVirtualDeadline = 600;
std::chrono::nanoseconds seconds_of(double seconds);

struct Target {
  Role role = Role::responder;
  TestedIut tested;
  std::chrono::nanoseconds deadline;  // per case
  bool is_reference = false;
  bool by_hand = false;  // the user starts the IUT for each case, so it is not asked for more than cases need
};
tl::expected<Target, Refusal> target_of(const TestCommand& command, const Protocol& protocol);

// The default number of processes. Several for a peer that runs at a URI, so that their waits overlap. One for a peer
// that a command starts, which may not support it, and one in memory, where nothing waits.
std::uint64_t jobs_of(const TestCommand& command, const Protocol& protocol, std::size_t cases);
// The reason why several processes cannot run the cases; empty if they can.
std::string trouble_with_jobs(const TestCommand& command, const Protocol& protocol);
// The command for process `number` of --jobs. A peer that is started gets its own port.
TestCommand command_of_job(const TestCommand& command, unsigned number);

// nullptr if no capture is requested. The error begins with the interface.
tl::expected<std::unique_ptr<WireCapture>, std::string> capture_of(const TestCommand& command, const Iut& iut);

// The text after the options in --help.
std::string test_help();

}  // namespace wirelaw
