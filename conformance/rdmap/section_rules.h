// SPDX-License-Identifier: Apache-2.0
// What the file of a section exports: its rules, and by which deviations they are known to be able to fail. (A file of
// cases exports these with its cases: SectionCases.)
//
// The role that deviates is any that can and that the rule binds, unless Breach::Where names one. Where a breach needs
// more than a peer that is set up as usual, Breach::Where::given names it, or each of several with a blank between:
// "no-crc", "markers", "needs-reads" and "extended" are settings of the reference peer, "rfc7306" is the feature that
// it declares, "verbs" a consumer above it while the tester speaks the wire, and "pair" consumers at both ends.
#pragma once

#include "conformance/breach.h"
#include "conformance/catalogue.h"
#include "reference/rdmap/deviations.h"

namespace wirelaw::rdmap {

struct SectionRules {
  RuleList rules;
  BreachList breaches = {};
};

}  // namespace wirelaw::rdmap
