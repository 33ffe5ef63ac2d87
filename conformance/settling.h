// SPDX-License-Identifier: Apache-2.0
// The time that an IUT needs after its MPA start frame before it can take more: the parameter `settle` of iWARP and of
// the protocols above it. In milliseconds, decimal, at most 10 seconds.
#pragma once

#include <chrono>

#include "conformance/case.h"
#include "conformance/protocol.h"

namespace wirelaw {

inline constexpr Feature kSettle{
    "settle", "Milliseconds that it needs after its MPA start frame before it can take FPDUs, or a close"};

// Zero if the user has declared nothing, or no number.
std::chrono::milliseconds settling_time(const CaseRun& run);

}  // namespace wirelaw
