// SPDX-License-Identifier: Apache-2.0
// Every case of EFA RDM.
#pragma once

#include <span>

#include "conformance/case.h"

namespace wirelaw::efa {

std::span<const Case> all_cases();

}  // namespace wirelaw::efa
