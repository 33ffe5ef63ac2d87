// SPDX-License-Identifier: Apache-2.0
// The cases of iWARP, for behaviour that only a stimulus can show, and the deviations of the reference that make each
// rule fail.
#pragma once

#include <span>

#include "conformance/case_suite.h"

namespace wirelaw::rdmap {

const CaseSuite& suite();                // in the order of the specifications
std::span<const BreachList> breaches();  // the lists of all sections

}  // namespace wirelaw::rdmap
