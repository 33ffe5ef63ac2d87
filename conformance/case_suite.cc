// SPDX-License-Identifier: Apache-2.0
#include "conformance/case_suite.h"

namespace wirelaw {

CaseSuite::CaseSuite(std::vector<SectionCases> sections, std::vector<edits::FoundCase> found)
    : sections_(std::move(sections)), found_(std::move(found)) {
  for (const SectionCases& section : sections_) {
    rules_.push_back(section.rules);
    cases_.insert(cases_.end(), section.cases.begin(), section.cases.end());
  }
  cases_.reserve(cases_.size() + found_.size());  // found cases refer to other elements, which must not move
}

std::span<const Case> CaseSuite::cases() const {
  for (edits::FoundCase& one : std::exchange(found_, {})) cases_.push_back(case_of(std::move(one), cases_));
  return cases_;
}

}  // namespace wirelaw
