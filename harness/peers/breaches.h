// SPDX-License-Identifier: Apache-2.0
// The rules that the deviations of the reference peers break, by protocol: each has its breaches()
// (conformance/protocols.inc).
#pragma once

#include <span>
#include <string_view>

#include "conformance/breach.h"

namespace wirelaw {

// Breach::deviation is an index into ReferencePeer::deviations. Returns none if there is no such protocol.
std::span<const BreachList> breaches_of(std::string_view protocol);

}  // namespace wirelaw
