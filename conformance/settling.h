// SPDX-License-Identifier: Apache-2.0
// How long an IUT needs behind its MPA start frame before it can take what follows: the parameter `settle` of iWARP and
// of what is above it. Milliseconds, in decimal; 10 seconds at most.
#pragma once

#include <chrono>

#include "conformance/case.h"
#include "conformance/protocol.h"

namespace wirelaw {

inline constexpr Feature kSettle{
    "settle", "Milliseconds that it needs after its MPA start frame before it can take FPDUs, or a close"};

// None where the user has said nothing, or no number.
std::chrono::milliseconds settling_time(const CaseRun& run);

}  // namespace wirelaw
