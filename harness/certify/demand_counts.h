// SPDX-License-Identifier: Apache-2.0
// The verdicts of a statement's rules, counted by what was demanded. A rule that nobody demanded, because it binds the
// other role or shows only above the wire, is not counted as one that was not exercised.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/certify/statement.h"

namespace wirelaw {

// What speaks against the product first; in the words of people: "not exercised".
using VerdictCounts = std::vector<std::pair<std::string, std::size_t>>;

struct DemandCount {
  std::string_view words;  // for people: "demanded"
  std::size_t rules = 0;
  VerdictCounts verdicts = {};  // empty if they mean nothing
};

// Demanded; recommended or optional; judged besides; not demanded.
std::array<DemandCount, 4> demand_counts(const StatementJson& rules);

// "67 pass, 3 not exercised"
std::string in_words(const VerdictCounts& verdicts);
VerdictCounts verdicts_of(const StatementJson& list);

}  // namespace wirelaw
