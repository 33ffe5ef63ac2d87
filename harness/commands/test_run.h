// SPDX-License-Identifier: Apache-2.0
// One run of the cases against a peer: what `test` and `certify` share.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/commands/reporter.h"
#include "harness/commands/test_command.h"
#include "harness/pcapng_recording.h"
#include "harness/runner.h"
#include "harness/temporary_file.h"
#include "reports/gate.h"

namespace wirelaw {

// The destination of the recording, if there is one.
class Record {
 public:
  // The error is one line. `show_evidence`: a report shows the traffic, so it is recorded even if the user keeps no
  // recording.
  static tl::expected<Record, std::string> open(const TestCommand& command, const Protocol& protocol, const Iut& iut,
                                                bool captured, bool show_evidence);

  Recording* recording() const { return recording_.get(); }
  // The path of the recording once it is committed; empty if nothing is recorded.
  const std::string& file() const { return file_; }
  // The exit status; 0 where all is written. `complete`: nothing was lost on the way to it. `results` are those of the
  // run (comments_of_run()).
  int commit(bool complete, std::vector<std::string> results);

 private:
  TemporaryFile temporary_;
  std::string file_;
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
