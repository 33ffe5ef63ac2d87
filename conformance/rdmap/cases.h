// SPDX-License-Identifier: Apache-2.0
// The cases of iWARP: what only a stimulus can show, with the rules that they judge.
#pragma once

#include <span>

#include "conformance/case.h"
#include "conformance/catalogue.h"

namespace wirelaw::rdmap {

struct SectionCases {
  RuleList rules;  // those that need a stimulus
  std::span<const Case> cases;
};

// In the order of the specifications.
std::span<const SectionCases> all_sections();
std::span<const SectionCases> wire_sections();  // without the cases that drive the IUT through verbs
std::span<const Case> all_cases();
std::span<const RuleList> case_rules();

}  // namespace wirelaw::rdmap
