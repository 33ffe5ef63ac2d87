// SPDX-License-Identifier: Apache-2.0
// Coverage of each section of a specification: the rules that were judged.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict.h"

namespace wirelaw {

struct SectionCoverage {
  std::string protocol;
  std::string section;                       // section_head() of its rules
  std::size_t first = 0;                     // index of its first rule, in the order of the results
  std::size_t rules = 0;                     // rules that can be judged, by any means
  std::size_t pass = 0, fail = 0, open = 0;  // open: warned or inconclusive

  std::size_t judged() const { return pass + fail + open; }
};

// What "12 of 46" counts.
inline constexpr std::string_view kCoverageCounts =
    "rules judged, of those that a capture, a case or the device can show";

// One entry for each section of each protocol that has a judged rule, in the order of the results.
std::vector<SectionCoverage> coverage_by_section(const Results& results);

// The protocols of which flows were seen or cases were run, as on the command line.
std::set<std::string, std::less<>> protocols_seen(const Results& results);

// The first violation of each rule, in the order in which they were found.
std::vector<const Finding*> first_violations(const std::vector<Finding>& findings);

}  // namespace wirelaw
