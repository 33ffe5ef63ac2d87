// SPDX-License-Identifier: Apache-2.0
// The cases of a protocol, collected from its sections.
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

// The cases that one source file exports.
struct SectionCases {
  RuleList rules;  // the rules that need a stimulus and are stated in that file
  std::span<const Case> cases;
  BreachList breaches = {};  // breaches of those rules
};

class CaseSuite {
 public:
  CaseSuite(std::initializer_list<SectionCases> sections) : CaseSuite(std::vector(sections)) {}
  // `found` are cases derived from cases of these sections. They follow them.
  explicit CaseSuite(std::vector<SectionCases> sections, std::vector<edits::FoundCase> found = {});

  std::span<const SectionCases> sections() const { return sections_; }  // in the order of the specification
  std::span<const RuleList> rules() const { return rules_; }
  // If there are found cases, the first call needs the protocol's catalogue, which itself needs only rules().
  std::span<const Case> cases() const;

 private:
  std::vector<SectionCases> sections_;
  std::vector<RuleList> rules_;
  mutable std::vector<Case> cases_;
  mutable std::vector<edits::FoundCase> found_;  // found cases that are not in cases_ yet
};

}  // namespace wirelaw
