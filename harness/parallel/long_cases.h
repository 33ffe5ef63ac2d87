// SPDX-License-Identifier: Apache-2.0
// The cases that take long because the specification makes them wait. Several processes begin with them, so that no
// process is left alone with one at the end of a run.
#pragma once

#include <span>
#include <string_view>

#include "conformance/protocol.h"

namespace wirelaw {

struct LongCase {
  std::string_view protocol, id;
  double seconds;  // against the reference, at the default --answer-time and --silence-time
};

// The cases that take this long, or longer.
inline constexpr double kLongCaseSeconds = 3.4;
std::span<const LongCase> long_cases();

// Cases that take longer than this delay a gate. Over a network, `wirelaw test` runs them only if it is told to.
inline constexpr double kSlowCaseSeconds = 20;

// 0 for a case that is not long.
double seconds_of(const Protocol& protocol, const Case& one);

}  // namespace wirelaw
