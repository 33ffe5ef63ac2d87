// SPDX-License-Identifier: Apache-2.0
// The cases of iWARP: what only a stimulus can show; and by which deviations of the reference each rule is known to be
// able to fail.
#pragma once

#include <span>

#include "conformance/case_suite.h"

namespace wirelaw::rdmap {

const CaseSuite& suite();                // in the order of the specifications
std::span<const BreachList> breaches();  // the lists of all sections

}  // namespace wirelaw::rdmap
