// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/benchmark/scores.h"

#include <algorithm>

namespace wirelaw::campaign {

std::optional<std::uint64_t> median(std::vector<std::uint64_t> runs) {
  if (runs.empty()) return std::nullopt;
  std::ranges::sort(runs);
  return runs[runs.size() / 2];
}

double a12(std::span<const std::uint64_t> one, std::span<const std::uint64_t> other) {
  if (one.empty() || other.empty()) return 0.5;
  double sooner = 0;
  for (const std::uint64_t mine : one)
    for (const std::uint64_t theirs : other) sooner += mine < theirs ? 1 : mine == theirs ? 0.5 : 0;
  return sooner / (static_cast<double>(one.size()) * static_cast<double>(other.size()));
}

}  // namespace wirelaw::campaign
