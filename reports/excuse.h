// SPDX-License-Identifier: Apache-2.0
// The reason why a failure does not fail the run, for formats whose readers treat every failure as fatal.
#pragma once

#include <string>
#include <string_view>

#include "reports/gate.h"

namespace wirelaw {

// The failure is waived, known, or its level is below --fail-on. Empty if it fails the run, or if nothing failed.
std::string excuse_of(const Gate& gate, Failure::Kind kind, std::string_view id);

// "inconclusive: the peer died", or only the verdict if there is no reason.
std::string reason_of(Verdict verdict, std::string_view reason);

}  // namespace wirelaw
