// SPDX-License-Identifier: Apache-2.0
// The cases of a protocol, put together from its sections.
#pragma once

#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "conformance/breach.h"
#include "conformance/case.h"
#include "conformance/catalogue.h"

namespace wirelaw {

// What a file of cases exports.
struct SectionCases {
  RuleList rules;  // those that need a stimulus, and stand in that file
  std::span<const Case> cases;
  BreachList breaches = {};  // of those rules
};

class CaseSuite {
 public:
  CaseSuite(std::initializer_list<SectionCases> sections) : CaseSuite(std::vector(sections)) {}
  explicit CaseSuite(std::vector<SectionCases> sections) : sections_(std::move(sections)) {
    for (const SectionCases& section : sections_) {
      rules_.push_back(section.rules);
      cases_.insert(cases_.end(), section.cases.begin(), section.cases.end());
    }
  }

  std::span<const SectionCases> sections() const { return sections_; }  // in the order of the specification
  std::span<const RuleList> rules() const { return rules_; }
  std::span<const Case> cases() const { return cases_; }

 private:
  std::vector<SectionCases> sections_;
  std::vector<RuleList> rules_;
  std::vector<Case> cases_;
};

}  // namespace wirelaw
