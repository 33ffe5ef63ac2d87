// SPDX-License-Identifier: Apache-2.0
#include "conformance/case_suite.h"

#include <utility>

namespace wirelaw {

CaseSuite::CaseSuite(std::initializer_list<std::vector<Case>> sections, std::vector<edits::FoundCase> found)
    : found_(std::move(found)) {
  for (const std::vector<Case>& section : sections) cases_.insert(cases_.end(), section.begin(), section.end());
  cases_.reserve(cases_.size() + found_.size());  // found cases refer to other elements, which must not move
}

std::span<const Case> CaseSuite::cases() const {
  for (edits::FoundCase& one : std::exchange(found_, {})) cases_.push_back(case_of(std::move(one), cases_));
  return cases_;
}

}  // namespace wirelaw
