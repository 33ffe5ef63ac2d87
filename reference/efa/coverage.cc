// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/coverage.h"

#include <algorithm>

namespace wirelaw::efa {

std::optional<std::uint64_t> Coverage::add(std::uint64_t begin, std::uint64_t end, std::size_t most_gaps) {
  if (begin >= end) return 0;
  // Merges the ranges that touch the new one into it.
  const auto first = std::ranges::lower_bound(ranges_, begin, {}, &Range::end);
  auto last = first;
  std::uint64_t known = 0;
  Range merged{begin, end};
  for (; last != ranges_.end() && last->begin <= end; ++last) {
    merged.begin = std::min(merged.begin, last->begin);
    merged.end = std::max(merged.end, last->end);
    known += last->end - last->begin;
  }
  if (first == last) {
    if (ranges_.size() > most_gaps) return std::nullopt;
    ranges_.insert(first, merged);
  } else {
    *first = merged;
    ranges_.erase(first + 1, last);
  }
  const std::uint64_t fresh = merged.end - merged.begin - known;
  octets_ += fresh;
  return fresh;
}

bool Coverage::has(std::uint64_t begin, std::uint64_t end) const {
  if (begin >= end) return true;
  const auto range = std::ranges::upper_bound(ranges_, begin, {}, &Range::end);
  return range != ranges_.end() && range->begin <= begin && end <= range->end;
}

}  // namespace wirelaw::efa
