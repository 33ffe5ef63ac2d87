// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/suggest.h"

#include <algorithm>
#include <numeric>

namespace wirelaw {
namespace {

// Levenshtein's distance, one row at a time.
std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t replaced = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 64;  // nobody mistypes more than that
  if (word.size() > kLongest) return {};
  std::string best;
  std::size_t least = std::max<std::size_t>((word.size() + 1) / 3, 1) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t steps = distance(word, candidate);
    if (steps >= least) continue;
    least = steps;
    best = candidate;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string meant = nearest(word, candidates);
  return meant.empty() ? meant : "; did you mean '" + meant + "'?";
}

}  // namespace wirelaw
