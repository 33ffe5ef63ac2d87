// SPDX-License-Identifier: Apache-2.0
// The units of time that chains use (RFC 3018 7.2.1, 8.5).
#pragma once

#include <cstdint>
#include <optional>

#include "reference/endpoint.h"

namespace wirelaw::umsp {

inline constexpr Instant kTransactionUnit = std::chrono::seconds(2);       // TIME_TR
inline constexpr Instant kLifeTimeUnit = std::chrono::microseconds(1024);  // _LIFE_TIME (UMSP/A48)

// The rest of a lifetime after this time. Nothing: it is over.
constexpr std::optional<std::uint32_t> life_behind(std::uint32_t life_time, Instant passed) {
  const Instant left = life_time * kLifeTimeUnit - passed;
  if (left <= Instant{0}) return std::nullopt;
  return static_cast<std::uint32_t>(left / kLifeTimeUnit);
}

}  // namespace wirelaw::umsp
