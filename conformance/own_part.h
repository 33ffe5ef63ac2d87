// SPDX-License-Identifier: Apache-2.0
// Parameters that the runner adds to those of the user if several testers share the declared memory of one peer. They
// name the part that belongs to this tester alone (CaseRun::parameter).
#pragma once

#include <string_view>

namespace wirelaw {

inline constexpr std::string_view kOwnPart = "own_addr";
inline constexpr std::string_view kOwnPartLength = "own_length";

}  // namespace wirelaw
