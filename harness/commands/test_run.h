// SPDX-License-Identifier: Apache-2.0
// One run of the cases against a peer: what `test` and `certify` share.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/commands/test_command.h"
#include "harness/pcapng_recording.h"
#include "harness/runner.h"
#include "reports/gate.h"

namespace wirelaw {

// What is said while it runs; and the last resort against an endless loop that no deadline reaches, in a case or in a
// peer in memory.
class Reporter {
 public:
  Reporter(bool quiet, const CaseLimits& limits);

  RunProgress progress();
  void clear();

 private:
  void begins(const Case& next, std::size_t done, std::size_t all);
  void ended(const CaseOutcome& outcome);

  bool shown_;
  bool quiet_;
  const CaseLimits& limits_;
  std::size_t failed_ = 0;
};

// Where the run is recorded, if anywhere.
class Record {
 public:
  // The error is one line.
  static tl::expected<Record, std::string> open(const TestCommand& command, const Protocol& protocol, const Iut& iut,
                                                bool captured);

  Recording* recording() const { return recording_.get(); }
  // The exit status; 0 where all is written. `complete`: nothing was lost on the way to it. `results` are those of the
  // run (comments_of_run()).
  int commit(bool complete, std::vector<std::string> results);

 private:
  std::unique_ptr<PcapngSink> sink_;
  std::unique_ptr<Recording> recording_;
  bool to_standard_output_ = false;
};

RunOptions options_of(const TestCommand& command, const Target& target, std::vector<LeftOut> left_out);
RunEnd end_of(const RunOutcome& outcome);

// In one line; the exit status.
int complain_of_loss(const std::string& why);
int refused(const Refusal& refusal);

}  // namespace wirelaw
