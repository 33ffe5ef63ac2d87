// SPDX-License-Identifier: Apache-2.0
#include "pcap/problem_log.h"

#include <utility>

namespace wirelaw::pcap {

void ProblemLog::add(Problem problem) {
  ++count_;
  if (problems_.size() < bound_) problems_.push_back(std::move(problem));
}

void ProblemLog::add(std::uint64_t frame, const Flaw& flaw, bool cut) {
  if (problems_.size() >= bound_) {
    ++count_;
    return;
  }
  Problem problem{file_, frame, flaw.offset, message(flaw), hint(flaw)};
  if (cut) {
    problem.message += " (the snap length cut the frame)";
    problem.hint = "capture with an unlimited snap length (tcpdump -s 0)";
  }
  add(std::move(problem));
}

}  // namespace wirelaw::pcap
