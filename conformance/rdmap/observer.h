// SPDX-License-Identifier: Apache-2.0
// Judges one iWARP connection: takes pieces of a TCP stream, and judges every layer.
#pragma once

#include <memory>
#include <string_view>

#include "conformance/protocol.h"

namespace wirelaw::rdmap {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

inline constexpr std::string_view kExtensions = "rfc7306";

}  // namespace wirelaw::rdmap
