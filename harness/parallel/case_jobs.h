// SPDX-License-Identifier: Apache-2.0
// Runs the cases of a protocol in several processes on this machine, with the same results as in one.
//
//   this process ── contacts the IUT, deals the cases, and merges the results
//     ├ process 1 ── a case at a time, whichever is next
//     ├ process 2
//     …
//
// Each process has its own conversation with the IUT, or its own IUT (TestedIut). If all use one IUT, one process at a
// time uses what that IUT has only once: its memory that a URI names, and its count of requests. Until the IUT has
// spoken, this process alone runs cases. From then on the result of a case does not depend on the cases before it, and
// so not on the process that runs it. It may depend on how many testers the IUT has: what could is run again alone
// (dealing.h). In the end, all findings and recordings are put in the order of the cases.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/runner.h"

namespace wirelaw {

inline constexpr std::uint64_t kMostCaseJobs = 64;

// The resources of a process that runs cases.
struct CaseJob {
  virtual ~CaseJob() = default;
  virtual Iut& iut() = 0;
  virtual const RunOptions& options() const = 0;
  virtual RunProgress progress() = 0;
  // Before each run but the first.
  virtual void repeat(std::uint64_t repetition) { static_cast<void>(repetition); }
};

class CaseJobs {
 public:
  // Makes the job in process `number`, from 1. The error is one line.
  using Make = std::function<tl::expected<std::unique_ptr<CaseJob>, std::string>(unsigned number)>;

  // If there are more jobs than one, processes begin now: before there is a socket or another thread. At most
  // kMostCaseJobs.
  CaseJobs(std::uint64_t jobs, const Protocol& protocol, Make make);
  ~CaseJobs();
  CaseJobs(const CaseJobs&) = delete;
  CaseJobs& operator=(const CaseJobs&) = delete;

  // Like run_cases(), with an IUT of this process; `all_meet`: the processes use one and the same IUT. The error is one
  // line: a process could not begin, or has not completed its work.
  tl::expected<RunOutcome, std::string> run(Iut& iut, bool all_meet, const RunOptions& options, Recording* recording,
                                            const RunProgress& progress);

 private:
  class Processes;
  const Protocol& protocol_;
  std::unique_ptr<Processes> processes_;
};

}  // namespace wirelaw
