// SPDX-License-Identifier: Apache-2.0
// The cases of iWARP: what only a stimulus can show, with the rules that they judge; and by which deviations of the
// reference each rule is known to be able to fail.
#pragma once

#include <span>

#include "conformance/case_suite.h"

namespace wirelaw::rdmap {

const CaseSuite& suite();                       // in the order of the specifications
std::span<const SectionCases> wire_sections();  // of it, without the cases that drive the IUT through verbs
std::span<const BreachList> breaches();         // of all rules, those of cases included

}  // namespace wirelaw::rdmap
