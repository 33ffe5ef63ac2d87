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
#include "conformance/edited_case.h"

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
  // `found` are like cases of these sections, and come behind them.
  explicit CaseSuite(std::vector<SectionCases> sections, std::vector<edits::FoundCase> found = {});

  std::span<const SectionCases> sections() const { return sections_; }  // in the order of the specification
  std::span<const RuleList> rules() const { return rules_; }
  // The first call needs the protocol's catalogue where there are found cases; that needs rules() alone.
  std::span<const Case> cases() const;

 private:
  std::vector<SectionCases> sections_;
  std::vector<RuleList> rules_;
  mutable std::vector<Case> cases_;
  mutable std::vector<edits::FoundCase> found_;  // that are not yet among them
};

}  // namespace wirelaw
