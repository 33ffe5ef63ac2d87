// SPDX-License-Identifier: Apache-2.0
// The problems of one capture: the first ones are kept, all are counted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pcap/flaw.h"
#include "pcap/problem.h"

namespace wirelaw::pcap {

inline constexpr std::size_t kMaxProblems = 100;

class ProblemLog {
 public:
  explicit ProblemLog(std::string file, std::size_t bound = kMaxProblems) : file_(std::move(file)), bound_(bound) {}

  void add(Problem problem);
  // `cut`: something is missing because of the snap length, not because of the sender.
  void add(std::uint64_t frame, const Flaw& flaw, bool cut = false);

  std::span<const Problem> problems() const { return problems_; }  // at most the bound
  std::uint64_t count() const { return count_; }                   // includes those that were not kept
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::size_t bound_;
  std::vector<Problem> problems_;
  std::uint64_t count_ = 0;
};

}  // namespace wirelaw::pcap
