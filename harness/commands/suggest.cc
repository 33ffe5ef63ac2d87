// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "conformance/rule.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein's distance, one row at a time.
std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t replaced = diagonal + (small(one[i - 1]) == small(other[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

// Ids, and the patterns for their groups: "ack/*" for "ack/server-names-it", "EFA-3.2-*" for "EFA-3.2-1".
std::vector<std::string> with_groups(const std::vector<std::string>& ids) {
  std::vector<std::string> all = ids;
  for (const std::string& one : ids) {
    const std::size_t slash = one.find('/'), end = slash != one.npos ? slash : one.rfind('-');
    if (end == one.npos) continue;
    std::string group = one.substr(0, end + 1) + "*";
    if (all.back() != group) all.push_back(std::move(group));
  }
  return all;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 64;  // more differences are no typing error
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

std::optional<std::string> unmatched(std::string_view option, std::string_view noun,
                                     const std::vector<std::string>& patterns, const std::vector<std::string>& ids) {
  const auto wrong = std::ranges::find_if(patterns, [&](const std::string& pattern) {
    return std::ranges::none_of(ids, [&](const std::string& id) { return matches_glob(pattern, id); });
  });
  if (wrong == patterns.end()) return std::nullopt;
  return fmt::format("{}{}no {} matches '{}'{}", option, option.empty() ? "" : ": ", noun, printable(*wrong),
                     suggestion(*wrong, with_groups(ids)));
}

}  // namespace wirelaw
