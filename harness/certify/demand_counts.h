// SPDX-License-Identifier: Apache-2.0
// Counts the verdicts of a statement's rules by demand. A rule that is not demanded, because it binds the other role or
// shows only above the wire, does not count as not exercised.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/certify/statement.h"

namespace wirelaw {

// Failures first. Words for users: "not exercised".
using VerdictCounts = std::vector<std::pair<std::string, std::size_t>>;

struct DemandCount {
  std::string_view words;  // for people: "demanded"
  std::size_t rules = 0;
  VerdictCounts verdicts = {};  // empty if they mean nothing
};

// Demanded; recommended or optional; judged besides; not demanded.
std::array<DemandCount, 4> demand_counts(const StatementJson& rules);

// Cases of the vendor's scripts, or of the protocol.
StatementJson cases_that_are(bool own, const StatementJson& cases);

// "67 pass, 3 not exercised"
std::string in_words(const VerdictCounts& verdicts);
VerdictCounts verdicts_of(const StatementJson& list);

}  // namespace wirelaw
