// SPDX-License-Identifier: Apache-2.0
// Joins shares. The result is what one process would have found that had done all of the work, in the same order and
// within the same limits.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/shard/share.h"

namespace wirelaw {

struct JoinLimits {
  JudgeLimits judge;
  std::size_t listed_flows = 10'000;  // half of them without a verdict
  std::size_t problems = 1000;
};

// Returns the limits of a share, so that it keeps every finding that the whole keeps: each share may keep the first of
// a rule and kind that are not the first of the whole.
JudgeLimits limits_of_share(const JudgeLimits& limits, std::size_t rules);

// The error is one line: shares that are not of one run.
tl::expected<Share, std::string> join(std::vector<Share> shares, const JoinLimits& limits);

// Decides if one process would have had to give up flows that these shares have followed.
struct RoomOfOne {
  std::uint64_t octets = 0;  // octets of the flows' state
  std::uint64_t associations = 0;
};
bool fits(const SharedInput& input, const RoomOfOne& room);

// The results of a complete share. The verdicts of its rules are concluded, but rules of a role that was not tested are
// not excluded yet.
Results results_of(Share share);

}  // namespace wirelaw
