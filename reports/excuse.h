// SPDX-License-Identifier: Apache-2.0
// Why a failure fails no run, for formats whose readers would close the gate by any failure.
#pragma once

#include <string>
#include <string_view>

#include "reports/gate.h"

namespace wirelaw {

// It is waived, known, or its level is below --fail-on. Empty if it fails the run, or has not failed.
std::string excuse_of(const Gate& gate, Failure::Kind kind, std::string_view id);

// "inconclusive: the peer died", or the verdict alone if there is no reason.
std::string reason_of(Verdict verdict, std::string_view reason);

}  // namespace wirelaw
