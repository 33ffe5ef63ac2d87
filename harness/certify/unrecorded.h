// SPDX-License-Identifier: Apache-2.0
// Why a run has no capture: there are two reasons, and each is one of the peer's URI.
#pragma once

#include <string_view>

namespace wirelaw {

inline constexpr std::string_view kUnspoken = "nobody speaks the wire between two consumers";
inline constexpr std::string_view kUnnamed = "the peer's queue pair is not named in the URI";

// True if `why` is the reason that `wirelaw certify` states for a peer at this URI.
bool is_unrecorded(std::string_view why, std::string_view peer);

}  // namespace wirelaw
