// SPDX-License-Identifier: Apache-2.0
// Selects the messages of a capture that a report shows: those around findings, and those of cases.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/verdict.h"

namespace wirelaw {

class WantedMessages {
 public:
  void want(const Finding& finding);
  void want(const CaseResult& one);
  void settle();  // call it after the last want(): sorts and joins what is wanted

  bool empty() const { return flows_.empty() && cases_.empty(); }
  // Asks for a message of this flow because of a finding; `number` counts from 1.
  bool is_wanted(const std::string& flow, std::uint64_t number, std::uint64_t frame) const;
  // A finding is about it: its octets are shown.
  bool is_evidence(const std::string& flow, std::uint64_t frame) const;
  // Returns the case that contains the frame, as the number of its first frame; 0: none.
  std::uint64_t case_of(std::uint64_t frame) const;

 private:
  using Range = std::pair<std::uint64_t, std::uint64_t>;  // the first and the last
  struct OfFlow {
    std::vector<Range> numbers, frames;
    std::vector<std::uint64_t> evidence;  // frames
  };

  std::map<std::string, OfFlow> flows_;
  std::vector<Range> cases_;  // frames
  std::map<const Rule*, std::size_t> shown_;
};

}  // namespace wirelaw
