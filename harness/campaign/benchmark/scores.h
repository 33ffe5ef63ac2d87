// SPDX-License-Identifier: Apache-2.0
// Compares how soon two ways of fuzzing find a fault. A run that does not find it is censored: it counts as later than
// every run that does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wirelaw::campaign {

inline constexpr std::uint64_t kNever = UINT64_MAX;

// The median; kNever if half of the runs did not find it. Empty without runs.
std::optional<std::uint64_t> median(std::vector<std::uint64_t> runs);

// Vargha-Delaney's A12: the probability that a run of `one` is sooner than a run of `other`, where ties count half.
double a12(std::span<const std::uint64_t> one, std::span<const std::uint64_t> other);

}  // namespace wirelaw::campaign
