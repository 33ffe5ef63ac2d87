// SPDX-License-Identifier: Apache-2.0
// What the file of a section exports: its rules, and by which deviations they are known to be able to fail. (A file of
// cases may export these with its cases: SectionCases.)
#pragma once

#include "conformance/breach.h"
#include "conformance/catalogue.h"

namespace wirelaw {

struct SectionRules {
  RuleList rules;
  BreachList breaches = {};
};

}  // namespace wirelaw
